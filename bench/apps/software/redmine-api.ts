// What an API of Redmine should answer, by its own REST API.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ApiApp, Facts } from '../api-app.ts';
import { askJson, factsOf, memberOf } from '../api-app.ts';
import type { Place, Software } from '../app.ts';
import { articles } from '../content.ts';
import { databaseOf, installRedmine, REDMINE_NEEDS, startRedmine } from './redmine.ts';

const SEED = join(import.meta.dirname, 'redmine/seed.rb');

const SOFTWARE: Software = {
  name: 'redmine-api',
  software: 'Redmine with its REST API',
  port: 8450,
  needs: REDMINE_NEEDS,
  package: 'redmine',
  source: import.meta.filename,
  async install(place) {
    await installRedmine(place, SEED, articles(40));
    enableApi(place);
  },
  start: startRedmine,
};

export const REDMINE_API: ApiApp = {
  software: SOFTWARE,
  // It refuses crawlers its lists of issues and its search.
  ignoresRobots: true,
  goals: ({ origin, place }) => {
    const url = `${origin}/projects/garden/issues`;
    const keys = ['id', 'subject', 'link'];
    return [
      {
        kind: 'list',
        url,
        objective: 'list the issues of the project with number, tracker, status, priority, subject and when each was updated',
        wanted: ['id', 'tracker', 'status', 'priority', 'subject', 'updated'],
        keys,
        truth: async () => issuesIn(await askJson(`${origin}/projects/garden/issues.json?limit=100`)),
      },
      {
        kind: 'search',
        url: `${origin}/`,
        objective: 'search everything by keyword, with title and address',
        wanted: ['title', 'link'],
        keys: ['title', 'link'],
        async truth(word) {
          const answer = await askJson(`${origin}/search.json?q=${encodeURIComponent(word)}&limit=100`);
          const results = memberOf(answer, 'results') as readonly unknown[];
          return results.map((each) => ({
            ...factsOf(each, { id: 'id', title: 'title', type: 'type', description: 'description', created: 'datetime' }),
            link: pathOf(String(memberOf(each, 'url'))),
            project: projectOf(place, String(memberOf(each, 'type')), Number(memberOf(each, 'id'))),
          }));
        },
      },
      {
        kind: 'detail',
        url,
        objective: 'get one issue by its number with subject, tracker, status, priority, start date, author and description',
        wanted: ['id', 'subject', 'tracker', 'status', 'priority', 'start', 'author', 'description'],
        keys,
        async truth(id) {
          const answer = await askJson(`${origin}/issues/${encodeURIComponent(id)}.json`);
          return issuesIn({ issues: [memberOf(answer, 'issue')] });
        },
      },
    ];
  },
};

function issuesIn(answer: unknown): readonly Facts[] {
  const issues = memberOf(answer, 'issues') as readonly unknown[];
  return issues.map((issue) => {
    const facts = factsOf(issue, {
      id: 'id',
      project: 'project.name',
      tracker: 'tracker.name',
      status: 'status.name',
      priority: 'priority.name',
      author: 'author.name',
      version: 'fixed_version.name',
      subject: 'subject',
      description: 'description',
      start: 'start_date',
      due: 'due_date',
      done: 'done_ratio',
      hours: 'estimated_hours',
      created: 'created_on',
      updated: 'updated_on',
    });
    const { id } = facts;
    return { ...facts, number: `#${id}`, link: `/issues/${id}`, heading: `${facts['tracker']} #${id}` };
  });
}

/** The joins that lead from what a search finds to its project. */
const PROJECTS: Readonly<Record<string, string>> = {
  issue: 'issues t ON p.id = t.project_id',
  news: 'news t ON p.id = t.project_id',
  message: 'boards b ON p.id = b.project_id JOIN messages t ON b.id = t.board_id',
  'wiki-page': 'wikis w ON p.id = w.project_id JOIN wiki_pages t ON w.id = t.wiki_id',
};

/** The name of the project of one result, which its pages show and its JSON does not. */
function projectOf(place: Place, type: string, id: number): string | null {
  const join = PROJECTS[type.replace(/-closed$|^reply$/, (end) => (end === 'reply' ? 'message' : ''))];
  if (join === undefined) return null;
  using database = new DatabaseSync(databaseOf(place), { readOnly: true });
  const found = database.prepare(`SELECT p.name FROM projects p JOIN ${join} WHERE t.id = ?`).get(id);
  return typeof found?.['name'] === 'string' ? found['name'] : null;
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}

/** As an administrator would, before it is started. */
function enableApi(place: Place): void {
  using database = new DatabaseSync(databaseOf(place));
  const { changes } = database.prepare("UPDATE settings SET value = '1' WHERE name = 'rest_api_enabled'").run();
  if (Number(changes) !== 1) throw new Error('Redmine has no setting rest_api_enabled.');
}
