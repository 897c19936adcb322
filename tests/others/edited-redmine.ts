// A Redmine whose issues are edited through its REST API: their subjects are watched, by its own SQLite.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { installApp, placeOf, startApp } from '../../bench/apps/runner.ts';
import { databaseOf } from '../../bench/apps/software/redmine.ts';
import { REDMINE_API } from '../../bench/apps/software/redmine-api.ts';
import { pick } from './edited-apps.ts';
import type { EditedApp, EditedThing } from './edited-apps.ts';

const ISSUES = 8;
/** As Redmine makes its first account. */
const AUTHORIZATION = `Basic ${Buffer.from('admin:admin').toString('base64')}`;

/** Starts it, with an administrator who edits. */
export async function startRedmine(home: string): Promise<EditedApp> {
  const { software } = REDMINE_API;
  await installApp(software, home);
  const running = await startApp(software, home);
  const file = databaseOf(placeOf(software, home));
  const read = (sql: string, ...values: number[]) => {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    return database.prepare(sql).all(...values);
  };
  const ids = read('SELECT id FROM issues ORDER BY id LIMIT ?', ISSUES).map(({ id }) => Number(id));
  const things = ids.map((id): EditedThing => {
    const url = `${running.origin}/issues/${id}`;
    const subject = () => String(read('SELECT subject FROM issues WHERE id = ?', id)[0]?.['subject']);
    const edit = async (issue: Readonly<Record<string, string | number>>) => {
      const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' };
      const answer = await fetch(`${url}.json`, { method: 'PUT', headers, body: JSON.stringify({ issue }) });
      assert.equal(answer.status, 204, await answer.text());
    };
    return {
      url,
      selector: 'div.issue .subject h3',
      value: subject,
      editValue: (random) => edit({ subject: `${subject().replace(/, day .*/, '')}, day ${Math.floor(random() * 1e9)}` }),
      editOther: (random) =>
        edit(
          pick(
            [
              { notes: `Seen again on day ${random()}.` },
              { description: `All that is done, ${random()}.` },
              { done_ratio: 10 * Math.floor(random() * 11) },
            ],
            random,
          ),
        ),
    };
  });
  return { name: 'Redmine', version: running.version, things, close: () => running.stop() };
}
