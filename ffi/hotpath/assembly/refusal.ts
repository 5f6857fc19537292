/** Numbers of the refusals: places in `refusals` of tests/packet/raw-reply.ts, and of their counters. */
export const readable: i32 = -1;
export const truncated: i32 = 0;
export const linkUnknown: i32 = 1;
export const notIp: i32 = 2;
export const malformed: i32 = 3;
export const fragment: i32 = 4;
export const otherProtocol: i32 = 5;
export const otherType: i32 = 6;
export const quoteTruncated: i32 = 7;
export const quoteOther: i32 = 8;
