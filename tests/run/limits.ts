/**
 * A test that takes longer hangs. Two minutes and more are for a machine with other work: the slowest tests take some
 * 30 s on a quiet one. So a test has a limit of its own only where it needs longer.
 */
export const testMsMax = 300_000;

/** A check, or a file of tests, that takes longer hangs. */
export const jobSecondsMax = 1800;
