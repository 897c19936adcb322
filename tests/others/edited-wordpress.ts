// A WordPress whose posts are edited through its REST interface by its author: the weeks of the first tool are watched, by its own MariaDB.
import assert from 'node:assert/strict';
import { memberOf } from '../../bench/apps/api-app.ts';
import { query } from '../../bench/apps/mariadb.ts';
import { installApp, placeOf, startApp } from '../../bench/apps/runner.ts';
import { WORDPRESS, WORDPRESS_DATABASE } from '../../bench/apps/software/wordpress.ts';
import { createVisitor } from './cookies.ts';
import type { Visitor } from './cookies.ts';
import type { EditedApp, EditedThing } from './edited-apps.ts';

const POSTS = 8;
/** As bench/apps/software/wordpress/install.php makes the author. */
const AUTHOR = { log: 'gardener', pwd: 'garden-weblog-0123456789' };
/** The first row of the table of tools: what stands before its last cell, and that. */
const ROW = /(<tbody><tr><td>[^<]*<\/td><td>[^<]*<\/td><td>)(\d+)/;

/** Starts it, and its author. */
export async function startWordPress(home: string): Promise<EditedApp> {
  await installApp(WORDPRESS, home);
  const running = await startApp(WORDPRESS, home);
  const place = placeOf(WORDPRESS, home);
  const rows = async (sql: string) => (await query(place, sql, WORDPRESS_DATABASE)).split('\n').filter((row) => row !== '');
  const visitor = createVisitor(running.origin);
  const nonce = await logIn(visitor);
  const ids = await rows(`SELECT ID FROM wp_posts WHERE post_type = 'post' AND post_status = 'publish' ORDER BY ID LIMIT ${POSTS}`);
  const posts = await Promise.all(ids.map(async (id) => await readPost(visitor, id, nonce)));
  const things = posts.map(({ id, url }): EditedThing => {
    const save = async (change: (text: string) => string) => {
      const { text } = await readPost(visitor, id, nonce);
      const content = change(text);
      assert.notEqual(content, text, `post ${id} was to be edited`);
      const headers = { 'content-type': 'application/json', 'x-wp-nonce': nonce };
      await visitor.askJson(`/?rest_route=/wp/v2/posts/${id}`, { method: 'POST', headers, body: JSON.stringify({ content }) });
    };
    return {
      url,
      selector: '.entry-content table tbody tr:nth-of-type(1) td:nth-of-type(3)',
      value: async () => ROW.exec((await rows(`SELECT post_content FROM wp_posts WHERE ID = ${id}`)).join('\n'))?.[2] ?? '',
      editValue: (random) =>
        save((text) => text.replace(ROW, (_row, before: string, weeks: string) => before + (Number(weeks) + 1 + Math.floor(random() * 9)))),
      editOther: (random) => {
        const day = Math.floor(random() * 1e9);
        return save((text) =>
          random() < 0.5
            ? `<!-- wp:paragraph --><p>Seen again on day ${day}.</p><!-- /wp:paragraph -->${text}`
            : text.replace('</figcaption>', `, day ${day}</figcaption>`),
        );
      },
    };
  });
  return { name: 'WordPress', version: running.version, things, close: () => running.stop() };
}

async function readPost(
  visitor: Visitor,
  id: string,
  nonce: string,
): Promise<{ readonly id: string; readonly url: string; readonly text: string }> {
  const post = await visitor.askJson(`/?rest_route=/wp/v2/posts/${id}&context=edit`, { headers: { 'x-wp-nonce': nonce } });
  return { id, url: String(memberOf(post, 'link')), text: String(memberOf(post, 'content.raw')) };
}

/** The mark by which the REST interface knows requests of the session; its form wants a cookie to come back. */
async function logIn(visitor: Visitor): Promise<string> {
  await (await visitor.ask('/wp-login.php')).body?.cancel();
  await (await visitor.ask('/wp-login.php', { method: 'POST', body: new URLSearchParams(AUTHOR) })).body?.cancel();
  const nonce = await (await visitor.ask('/wp-admin/admin-ajax.php?action=rest-nonce')).text();
  assert.match(nonce, /^[0-9a-f]{10}$/, 'WordPress lets its author in');
  return nonce;
}
