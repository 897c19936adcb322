/** What programs that a test starts take of its own environment: where commands are, and what is compiled already. */
export const CHILD_ENV = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
