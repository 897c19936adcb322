// What an API of WordPress should answer, by its own query of posts.
import { join } from 'node:path';
import type { ApiApp, ApiPlace, Facts } from '../api-app.ts';
import { run } from '../packages.ts';
import { siteOf } from '../php.ts';
import { WORDPRESS } from './wordpress.ts';

const SCRIPT = join(import.meta.dirname, 'wordpress/posts.php');

export const WORDPRESS_API: ApiApp = {
  software: WORDPRESS,
  goals: (at) => {
    const url = `${at.origin}/`;
    const keys = ['title', 'link'];
    return [
      {
        kind: 'list',
        url,
        objective: 'list the latest posts with title, address, date and category',
        wanted: ['title', 'link', 'date', 'category'],
        keys,
        truth: () => posts(at, { post_type: 'post' }),
      },
      {
        kind: 'search',
        url,
        objective: 'search posts by keyword, with title and address',
        wanted: ['title', 'link'],
        keys,
        truth: (word) => posts(at, { s: word }),
      },
      {
        kind: 'detail',
        url,
        objective: 'get one post with title, text, date, author and category',
        wanted: ['title', 'text', 'date', 'author', 'category'],
        keys,
        truth: (slug) => posts(at, { name: slug, post_type: 'any' }),
      },
    ];
  },
};

/** As `WP_Query` answers them, all of them. */
async function posts({ place, origin }: ApiPlace, query: Readonly<Record<string, string>>): Promise<readonly Facts[]> {
  const answer = await run('php', [SCRIPT, siteOf(place), new URL(origin).host, JSON.stringify(query)]);
  return JSON.parse(answer) as Facts[];
}
