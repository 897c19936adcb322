// weft robots --batch: decisions by robots rules, without a network.
import { pipeBatch } from '../../batch-process.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (_context, _args, options) => {
  if (options['batch'] === true) return await pipeBatch('robots');
  throw new CommandError('weft robots reads jobs from standard input.', {
    exitCode: EXIT.usage,
    code: 'bad_request',
    next: [`echo '{"robots":"User-agent: *\\nDisallow: /a","agent":"weft","url":"https://example.com/a"}' | weft robots --batch`],
  });
};
