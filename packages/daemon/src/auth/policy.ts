// Whom the agent lets in, how often, and how it says no (D2, D3, D9).
import { findBearer, showsBearer } from '@weft/serve';
import type { Policy, RatePolicy } from '@weft/serve';
import type { Identity } from './identity.ts';

interface Rate {
  readonly per_minute: number;
  readonly burst: number;
}

export interface AgentPolicyPorts {
  readonly identity: Pick<Identity, 'authenticate'>;
  ownerOfRun(id: number): string | undefined;
  ownerOfBuild(id: string): string | undefined;
  /** Of the runtime token, and of each restricted key. */
  readonly rates: { readonly key: Rate; readonly runtime: Rate };
}

const INSIDE = /^\/(v1|x)(\/|$)/;

export function agentPolicy({ identity, ownerOfRun, ownerOfBuild, rates }: AgentPolicyPorts): Policy {
  const [key, runtime] = [ratePolicy(rates.key), ratePolicy(rates.runtime)];
  return {
    isInside: (path) => INSIDE.test(path),
    credentials: ['wlt', 'wlk', 'wlo'],
    findCredential: findBearer,
    showsAny: showsBearer,
    authenticate: ({ text }, { origin }) => identity.authenticate(text, origin),
    // What a build is asked by is a run's own id, which is text.
    ownerOfRun: (id) => (/^\d+$/.test(String(id)) ? ownerOfRun(Number(id)) : ownerOfBuild(String(id))),
    challenge: ({ origin }) => `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
    rateOf: ({ family }) => (family === 'wlt' ? runtime : key),
    sentences: {
      // It names the address to use because `localhost` is the usual cause.
      foreign: ([own]) =>
        `This request was refused before authentication: call ${own?.origin} with that exact Host, and not from a web page of another origin.`,
      // Said of a cloud's key as well, which is a token, and none of this agent.
      missing: () => 'Send a token of this agent: `Authorization: Bearer <token>`. `weft token show` prints one.',
      unknown: () => 'This token is not known here. `weft token show` prints the one to use.',
      runtimeOnly: 'Only the runtime token (wlt_) may do this; a restricted key can never widen itself.',
      internal: 'Something unexpected failed inside the agent; its log has the details under this request id.',
    },
  };
}

function ratePolicy(rate: Rate): RatePolicy {
  return { perSecond: rate.per_minute / 60, burst: rate.burst };
}
