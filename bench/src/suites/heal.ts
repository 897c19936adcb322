// How surely monitors find again what they watch after a redesign: seeded redesigns of public pages, and the same articles in other skins.
// `WEFT_APPS_HOME` names where the skins are installed; the public sets lie beside the repository. What is absent is left out.
import { loadSkinPages, skinPairs } from '../../quality/heal/skin-pairs.ts';
import type { Healed, Placed } from '../../quality/heal/measure-heal.ts';
import { healPair, placePair } from '../../quality/heal/measure-heal.ts';
import type { PagePair } from '../../quality/heal/heal-cases.ts';
import { publicPairs } from '../../quality/heal/public-pairs.ts';
import type { BenchOptions, BenchRow } from '../row.ts';
import { SETTINGS } from '../settings.ts';

export const isSlow = true;

const PAGES = 40;
const PAGES_FULL = 200;
/** Of the pairs of skins one in so many without --full. */
const SKIN_STEP = 5;
const RIVAL = 'mean of six likenesses, >= 40 %';

/** The pages that judges were not fitted to, then the skins: of those none was fitted to. */
export async function bench({ full }: BenchOptions): Promise<BenchRow[]> {
  const skins = await loadSkinPages();
  const chosen = [...skinPairs(skins)].filter((_, number) => full || Math.floor(number / 3) % SKIN_STEP === 0);
  return [...rowsOf('redesigned', publicPairs(full ? PAGES_FULL : PAGES, 'report')), ...rowsOf('skins', chosen)];
}

function rowsOf(set: string, pairs: Iterable<PagePair>): readonly BenchRow[] {
  const healed: Healed[] = [];
  const placed: Placed[] = [];
  for (const pair of pairs) {
    healed.push(...healPair(pair, SETTINGS.hasRivals));
    placed.push(...placePair(pair));
  }
  if (healed.length === 0) return [];
  const changes = [...new Set(healed.map(({ change }) => change))];
  const all = [...changes, ...(changes.length > 1 ? ['all'] : [])];
  const of = (change: string) => healed.filter((one) => change === 'all' || one.change === change);
  return [
    ...all.flatMap((change) => repairRows(`${set}, ${change}`, of(change))),
    ...placeRows(set, placed),
    { name: `${set}: search`, value: healed.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / healed.length, unit: 'CPU ms a target' },
  ];
}

function repairRows(set: string, healed: readonly Healed[]): readonly BenchRow[] {
  const kept = healed.filter(({ fate, isSteady }) => fate === 'kept' && isSteady);
  const priced = healed.filter(({ fate, isSteady }) => fate === 'changed' && !isSteady);
  const removed = healed.filter(({ fate }) => fate === 'removed');
  const isFound = ({ ours }: Healed) => ours.verdict === 'found';
  const isRight = ({ isOursRight }: Healed) => isOursRight;
  const hasRival = healed.some(({ rival }) => rival !== undefined);
  const rival = (part: readonly Healed[], is: (one: Healed) => boolean) => (hasRival ? { rival: RIVAL, rivalValue: share(part, is) } : {});
  const found = priced.filter(isFound);
  const rivalFound = priced.filter((one) => one.rival !== 'none');
  const named = (what: string) => `${set}: ${what}`;
  return [
    {
      name: named(`repaired, text stable (${kept.length})`),
      value: share(kept, isRight),
      unit: '%',
      ...rival(kept, (one) => one.rival === 'right'),
      target: '>= 95 %',
    },
    { name: named('of these a copy of it'), value: share(kept, ({ isOursCopy }) => isOursCopy), unit: '%' },
    {
      name: named('wrong, text stable'),
      value: share(kept, (one) => isFound(one) && !isRight(one)),
      unit: '%',
      ...rival(kept, (one) => one.rival === 'wrong'),
    },
    {
      name: named(`accepted, value changed (${priced.length})`),
      value: share(priced, isFound),
      unit: '%',
      ...rival(priced, (one) => one.rival !== 'none'),
    },
    {
      name: named('precision, value changed'),
      value: share(found, isRight),
      unit: '%',
      ...(hasRival ? { rival: RIVAL, rivalValue: share(rivalFound, (one) => one.rival === 'right') } : {}),
    },
    {
      name: named(`healed though removed (${removed.length})`),
      value: share(removed, isFound),
      unit: '%',
      ...rival(removed, (one) => one.rival === 'wrong'),
      target: '<= 1 %',
    },
    {
      name: named('removed, said so'),
      value: share(removed, ({ ours }) => ours.verdict === 'gone' || ours.verdict === 'page_changed'),
      unit: '%',
    },
    { name: named('not found, called gone'), value: share(kept, ({ ours }) => ours.verdict === 'gone'), unit: '%' },
  ];
}

/** Selectors by place often find something else after a redesign; the bare selector is the rival. */
function placeRows(set: string, placed: readonly Placed[]): readonly BenchRow[] {
  const there = placed.filter(({ fate }) => fate !== 'removed');
  const right = there.filter(({ bare }) => bare === 'right');
  const isWrong = ({ ours, isOursRight }: Placed) => ours.verdict === 'found' && !isOursRight;
  const rival = 'the selector alone';
  return [
    {
      name: `${set}: by place, right (${placed.length})`,
      value: share(there, ({ isOursRight }) => isOursRight),
      unit: '%',
      rival,
      rivalValue: share(there, ({ bare }) => bare === 'right'),
    },
    {
      name: `${set}: by place, another element taken`,
      value: share(placed, isWrong),
      unit: '%',
      rival,
      rivalValue: share(placed, ({ bare }) => bare === 'wrong'),
    },
    { name: `${set}: by place, right and doubted`, value: share(right, ({ ours }) => ours.verdict !== 'found'), unit: '%' },
  ];
}

function share<T>(part: readonly T[], is: (one: T) => boolean): number {
  return (100 * part.filter(is).length) / (part.length || 1);
}
