// The workflow that a person would write for an application that people log in to: log in unless the session lasts, then read the list to its end.
import type { LoginSite } from '../../bench/apps/login-app.ts';

type Json = Readonly<Record<string, unknown>>;

/** The body of `POST /v1/workflows`, acting as a persona; with `fresh` it logs in at each run. */
export function workflowOf(name: string, site: LoginSite, personaId: number, session: 'reuse' | 'fresh' = 'reuse'): Json {
  return {
    name,
    persona_id: personaId,
    steps: [loginStep(site, session), ...listSteps(site)],
  };
}

function loginStep({ login, form }: LoginSite, session: 'reuse' | 'fresh'): Json {
  const { opener, username, password, submit, code } = form;
  return {
    id: 'login',
    type: 'login',
    url: login.url,
    session,
    success: isShown(form.proof),
    ...(opener === undefined ? {} : { opener: [opener] }),
    fields: { username: [username], password: [password], submit: [submit], ...(code && { otp: [code.field] }) },
  };
}

/** Opens its list, and reads all of its pages. */
export function listSteps({ list }: LoginSite): readonly Json[] {
  const fields = Object.fromEntries(
    Object.entries(list.columns).map(([name, { selector, attribute }]) => [
      name,
      { selectors: [selector], ...(attribute && { attr: attribute }) },
    ]),
  );
  const read = {
    id: 'rows',
    type: 'extractList',
    selectors: [list.row],
    fields,
    ...(list.isVirtual && { dedupe_key: Object.keys(fields)[0] }),
  };
  return [
    { id: 'list', type: 'navigate', url: list.url, ...(list.isVirtual && { wait_until: 'networkidle' }) },
    { id: 'pages', type: 'paginate', ...pagingOf(list), body: [read] },
  ];
}

function pagingOf({ next, offset, isVirtual }: LoginSite['list']): Json {
  if (isVirtual) return { mode: 'scroll' };
  if (offset) return { mode: 'offset', param: offset.parameter, step: offset.rows };
  return { mode: 'next_link', selectors: [next] };
}

function isShown(selector: string): Json {
  return { page: { selectors: [selector] }, op: 'exists' };
}
