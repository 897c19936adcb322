// Decides whether an agent may ask for a URL (RFC 9309, 2.2.2), and names the line that decided.
import type { AgentRules, RobotsGroup, RobotsRule, RobotsRules } from './rules.ts';
import { matchesPattern } from './match.ts';
import { parseRobots } from './parse.ts';

/** Whether a URL may be asked for, and what said so. */
export interface RobotsDecision {
  readonly allowed: boolean;
  /** The deciding line as written, or why there was no file to read; undefined when no rule spoke. */
  readonly rule: string | undefined;
  readonly line: number | undefined;
}

/** One line of a batch of decisions. */
export interface RobotsJob {
  /** The text of robots.txt. */
  readonly robots: string;
  readonly agent: string;
  readonly url: string;
}

/** Decides one job from the file's text; for many URLs of one file, parse it once and use `decideRobots`. */
export function decideRobotsJob(job: RobotsJob): RobotsDecision {
  return decideRobots(parseRobots(job.robots), job.agent, job.url);
}

/**
 * Whether `agent` (a product token; a version behind `/` is ignored) may ask for `url`, which is compared as it goes over the wire:
 * percent-encoded, letter case kept, fragment ignored. The longest pattern wins, `Allow` at equal length; an empty URL is the path `/`.
 */
export function decideRobots(rules: RobotsRules, agent: string, url: string): RobotsDecision {
  if (rules.access !== 'rules') return { allowed: rules.access === 'allow_all', rule: rules.note, line: undefined };
  return decideForAgent(selectAgentRules(rules, agent), url);
}

/** The same decision from rules that were already selected for the agent. */
export function decideForAgent(selected: AgentRules, url: string): RobotsDecision {
  const path = pathOf(url);
  const rule = selected.rules.find((candidate) => matchesPattern(candidate.pattern, path));
  return { allowed: rule?.allow ?? true, rule: rule?.text, line: rule?.line };
}

/**
 * The merged groups of `agent`, or those of `*` when none names it (RFC 9309, 2.2.1).
 * A group that names the agent and has no rules still keeps those of `*` away from it.
 */
export function selectAgentRules(rules: RobotsRules, agent: string): AgentRules {
  const token = agent.toLowerCase().split('/', 1)[0] ?? '';
  const own = token === '' || token === '*' ? [] : rules.groups.filter((group) => group.agents.includes(token));
  return merge(own.length > 0 ? own : rules.groups.filter((group) => group.agents.includes('*')));
}

function merge(groups: readonly RobotsGroup[]): AgentRules {
  const rules = groups.flatMap((group) => group.rules).flatMap(withIndexAlias);
  const delays = groups.flatMap((group) => group.crawlDelaySeconds ?? []);
  return {
    rules: rules.toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow)),
    crawlDelaySeconds: delays.length > 0 ? Math.max(...delays) : undefined,
    contentSignals: groups.flatMap((group) => group.contentSignals),
  };
}

/** A rule that allows a folder's `index.html` allows the folder's own address too, as Google documents. */
function withIndexAlias(rule: RobotsRule): readonly RobotsRule[] {
  if (!rule.allow || !rule.pattern.endsWith('/index.html')) return [rule];
  return [rule, { ...rule, pattern: `${rule.pattern.slice(0, -'index.html'.length)}$` }];
}

/** Path, parameters and query of a URL that may lack its scheme; always starts with a slash. */
function pathOf(url: string): string {
  const afterScheme = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '');
  const start = afterScheme.search(/[/?;#]/);
  const rest = start < 0 ? '' : afterScheme.slice(start);
  const hash = rest.indexOf('#');
  const path = (hash < 0 ? rest : rest.slice(0, hash)).replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  return path.startsWith('/') ? path : `/${path}`;
}
