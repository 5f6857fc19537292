/** Every limit of putting a configuration into force: what it guards, its unit, and why the value is safe. */

/** Milliseconds that a daemon may take to have a new configuration in force after it has said yes. */
export const verifyMsMax = 30_000;

/** Between two looks at whether it has. */
export const verifyPollMs = 20;
