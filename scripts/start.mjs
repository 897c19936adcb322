// `npm start` is the agent in the foreground; `npm start -- <args>` is `weft <args>`. One process, so that signals reach it.
process.env.SERVICE_CALLED ??= 'npm start --';
if (process.argv.length > 2) await import('../packages/cli/src/main.ts');
else await import('../packages/daemon/src/main.ts');
