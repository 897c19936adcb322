// weft crawl save <url>
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { withPersona } from '../personas/refs.ts';
import { crawlOptionsOf } from './options.ts';

export const run: CommandRun = async (context, [url = ''], options) => {
  const client = await context.client();
  const { slug, name } = options;
  const saved = await client.crawlDefinitions.create(
    {
      ...crawlOptionsOf(url, await withPersona(context, options)),
      ...(typeof slug === 'string' ? { slug } : {}),
      ...(typeof name === 'string' ? { name } : {}),
    },
    { signal: context.signal },
  );
  context.show(
    saved,
    pairs([
      ['slug', saved.slug],
      ['id', saved.id],
      ['address', saved.url],
      ['dataset', saved.dataset_id],
    ]),
  );
  context.say(`weft: run it with: weft crawl run ${saved.slug}`);
};
