// A visitor of an application who keeps the cookies that it is given, and asks with them.
import assert from 'node:assert/strict';

/** One visitor of one origin. */
export interface Visitor {
  /** Asks for a path; redirects are the caller's. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Asks for a path with the fields of a form and reads the answer as JSON. Throws where it is no success. */
  askJson(path: string, init?: RequestInit): Promise<unknown>;
}

export function createVisitor(origin: string): Visitor {
  const cookies = new Map<string, string>();
  const ask: Visitor['ask'] = async (path, init = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(origin + path, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0|=deleted;/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    ask,
    async askJson(path, init) {
      const answer = await ask(path, init);
      const text = await answer.text();
      assert.ok(answer.ok, `${path} answered ${answer.status}: ${text.slice(0, 500)}`);
      return JSON.parse(text) as unknown;
    },
  };
}
