// A MediaWiki whose articles are edited through its action API: the weeks of the first tool are watched, by its own SQLite.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { memberOf } from '../../bench/apps/api-app.ts';
import { articles } from '../../bench/apps/content.ts';
import { installApp, placeOf, startApp } from '../../bench/apps/runner.ts';
import { MEDIAWIKI, WRITER, databaseOf } from '../../bench/apps/software/mediawiki.ts';
import { createVisitor } from './cookies.ts';
import type { Visitor } from './cookies.ts';
import type { EditedApp, EditedThing } from './edited-apps.ts';

const ARTICLES = 8;
/** The first row of the table of tools: what stands before its last cell, and that. */
const ROW = /(! Weeks\n\|-\n\|[^|\n]*\|\|[^|\n]*\|\|) *(\d+)/;
const TEXT = `SELECT old_text AS text FROM page JOIN slots ON slot_revision_id = page_latest JOIN content ON content_id = slot_content_id
  JOIN text ON old_id = CAST(substr(content_address, 4) AS INTEGER) WHERE page_namespace = 0 AND page_title = ?`;

/** Starts it, and somebody who writes in it. */
export async function startMediaWiki(home: string): Promise<EditedApp> {
  await installApp(MEDIAWIKI, home);
  const running = await startApp(MEDIAWIKI, home);
  const file = databaseOf(placeOf(MEDIAWIKI, home));
  const visitor = createVisitor(running.origin);
  const token = await logIn(visitor);
  const things = articles(ARTICLES).map(({ title }): EditedThing => {
    const read = () => textIn(file, title);
    const save = async (change: (text: string) => string) => {
      const text = read();
      const changed = change(text);
      assert.notEqual(changed, text, `${title} was to be edited`);
      const answer = await call(visitor, { action: 'edit', title, text: changed, summary: 'An edit.', token });
      assert.equal(memberOf(answer, 'edit.result'), 'Success', JSON.stringify(answer));
    };
    return {
      url: `${running.origin}/wiki/${title}`,
      selector: '#mw-content-text table.wikitable tr:nth-of-type(2) td:nth-of-type(3)',
      value: () => ROW.exec(read())?.[2] ?? '',
      editValue: (random) =>
        save((text) =>
          text.replace(ROW, (_row, before: string, weeks: string) => `${before} ${Number(weeks) + 1 + Math.floor(random() * 9)}`),
        ),
      editOther: (random) => {
        const day = Math.floor(random() * 1e9);
        const [place, more] =
          random() < 0.5 ? ['== Tools ==', `Seen again on day ${day}.\n\n== Tools ==`] : ['# ', `# Look again, ${day}.\n# `];
        return save((text) => text.replace(place, more));
      },
    };
  });
  return { name: 'MediaWiki', version: running.version, things, close: () => running.stop() };
}

function textIn(file: string, title: string): string {
  using database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  const text = database.prepare(TEXT).get(title)?.['text'];
  assert.ok(text instanceof Uint8Array || typeof text === 'string', `${title} is no article`);
  return Buffer.from(text).toString();
}

/** The token for edits of somebody who has logged in: those who have not may edit eight times a minute. */
async function logIn(visitor: Visitor): Promise<string> {
  const tokenFor = async (type: string) =>
    String(memberOf(await call(visitor, { action: 'query', meta: 'tokens', type }), `query.tokens.${type}token`));
  const { username, password } = WRITER;
  const answer = await call(visitor, { action: 'login', lgname: username, lgpassword: password, lgtoken: await tokenFor('login') });
  assert.equal(memberOf(answer, 'login.result'), 'Success', JSON.stringify(answer));
  return await tokenFor('csrf');
}

async function call(visitor: Visitor, fields: Readonly<Record<string, string>>): Promise<unknown> {
  return await visitor.askJson('/api.php', {
    method: 'POST',
    body: new URLSearchParams({ ...fields, format: 'json', formatversion: '2' }),
  });
}
