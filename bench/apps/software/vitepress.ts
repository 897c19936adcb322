// VitePress as its guide sets it up: a manual in two parts, served as files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Place } from '../app.ts';
import { builtPageOf, builtPages } from '../built-site.ts';
import { articles, asMarkdown } from '../content.ts';
import { NGINX, filesBelow, startNginx } from '../nginx.ts';
import { pathWithOwnNode, run } from '../packages.ts';

const builtOf = (place: Place) => join(place.folder, 'docs/.vitepress/dist');

export const VITEPRESS: App = {
  name: 'vitepress',
  software: 'VitePress',
  port: 8434,
  needs: { npm: { vitepress: '1.6.4', vue: '3.5.45' }, unpack: NGINX },
  package: 'vitepress',
  source: import.meta.filename,
  inner: '/guide/bean.html',
  content: 'main .vp-doc',
  async install(place) {
    const docs = join(place.folder, 'docs');
    rmSync(docs, { recursive: true, force: true });
    for (const folder of ['.vitepress', 'guide', 'reference']) mkdirSync(join(docs, folder), { recursive: true });
    const own = articles(30);
    const pathOf = (slug: string, index: number) => `/${index < 15 ? 'guide' : 'reference'}/${slug}`;
    const items = own.map(({ title, slug }, index) => ({ text: title, link: pathOf(slug, index) }));
    const config = {
      title: 'Garden manual',
      themeConfig: {
        nav: [{ text: 'Guide', link: items[0]?.link }],
        sidebar: [
          { text: 'Guide', items: items.slice(0, 15) },
          { text: 'Reference', items: items.slice(15) },
        ],
      },
    };
    writeFileSync(join(docs, '.vitepress/config.mjs'), `export default ${JSON.stringify(config)}`);
    writeFileSync(
      join(docs, 'index.md'),
      `---\nlayout: home\nhero:\n  name: Garden manual\n  tagline: How to grow what grows here\n  actions:\n    - text: Begin\n      link: ${items[0]?.link}\n---\n`,
    );
    for (const [index, article] of own.entries())
      writeFileSync(
        join(docs, `${pathOf(article.slug, index)}.md`),
        `${asMarkdown(article, '')}\n\n::: warning\nCover ${article.slug} in a cold week.\n:::\n\n::: code-group\n\n\`\`\`sh [npm]\nnpm run water\n\`\`\`\n\n\`\`\`sh [make]\nmake water\n\`\`\`\n\n:::\n`,
      );
    await run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs'], {
      cwd: place.folder,
      env: { PATH: pathWithOwnNode() },
    });
  },
  start: (place, listen, programs) => startNginx(place, listen, programs, filesBelow(builtOf(place))),
  truth: async (place) => builtPages(builtOf(place)),
  pageOf: builtPageOf,
};
