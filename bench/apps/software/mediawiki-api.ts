// What an API of MediaWiki should answer, by its own action API.
import type { ApiApp, Facts } from '../api-app.ts';
import { askJson, memberOf } from '../api-app.ts';
import { MEDIAWIKI } from './mediawiki.ts';

export const MEDIAWIKI_API: ApiApp = {
  software: MEDIAWIKI,
  goals: ({ origin }) => {
    const keys = ['title', 'link'];
    return [
      {
        kind: 'list',
        url: `${origin}/wiki/Category:Plants`,
        objective: 'list all pages in the category of plants with their addresses',
        wanted: ['title', 'link'],
        keys,
        truth: () => pages(origin, { generator: 'categorymembers', gcmtitle: 'Category:Plants', gcmlimit: '500' }),
      },
      {
        kind: 'search',
        url: `${origin}/wiki/Main_Page`,
        objective: 'search articles by keyword',
        wanted: ['title', 'link'],
        keys,
        truth: (word) => found(origin, word),
      },
      {
        kind: 'detail',
        url: `${origin}/wiki/Category:Plants`,
        objective: 'get one plant article with its title, text and when it was last edited',
        wanted: ['title', 'text', 'edited'],
        keys,
        truth: (title) => pages(origin, { titles: title }),
      },
    ];
  },
};

/** Its search looks at titles and at texts; its API at one of them, and where nothing is said at titles alone. */
async function found(origin: string, word: string): Promise<readonly Facts[]> {
  const places = ['title', 'text'].map((gsrwhat) => pages(origin, { generator: 'search', gsrsearch: word, gsrwhat, gsrlimit: '500' }));
  const byTitle = new Map((await Promise.all(places)).flat().map((page) => [page['title'], page]));
  return [...byTitle.values()];
}

/** What it knows of the pages that `question` names: 50 of them at a time is what it tells texts of. */
async function pages(origin: string, question: Readonly<Record<string, string>>): Promise<readonly Facts[]> {
  const asked = new URLSearchParams({
    action: 'query',
    format: 'json',
    formatversion: '2',
    prop: 'revisions|info|categories',
    rvprop: 'timestamp|user|size|content|ids',
    rvslots: 'main',
    cllimit: '500',
    inprop: 'displaytitle',
    ...question,
  });
  const found = (memberOf(await askJson(`${origin}/api.php?${asked.toString()}`), 'query.pages') ?? []) as readonly unknown[];
  return found
    .filter((page) => memberOf(page, 'missing') !== true)
    .map((page) => {
      const title = String(memberOf(page, 'title'));
      const text = String(memberOf(page, 'revisions.0.slots.main.content') ?? '');
      const categories = (memberOf(page, 'categories') ?? []) as readonly unknown[];
      return {
        title,
        link: `/wiki/${title.replaceAll(' ', '_')}`,
        edited: String(memberOf(page, 'revisions.0.timestamp')),
        size: Number(memberOf(page, 'length')),
        words: text.split(/\s+/).length,
        text: plainText(text),
        categories: categories.map((each) => String(memberOf(each, 'title'))).join(', '),
      };
    });
}

/** Wikitext without its marks, as far as that is needed to know a sentence again. */
function plainText(text: string): string {
  return text
    .replaceAll(/<ref>.*?<\/ref>/g, '')
    .replaceAll(/\[\[(?:File:)?(?:[^\]|]*\|)*([^\]|]*)\]\]/g, '$1')
    .replaceAll(/<[^>]*>|'''|^[*#|!=-]+|\{\||\|\}|\|\|/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
