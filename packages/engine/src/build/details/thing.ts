// What one record is called, and how well a kind of records fits an objective.
import { matchObjective, objectiveWords } from '../evidence/words.ts';

const ASKS_FOR_ONE = /\b(?:one|single|details?|particular|by\s+(?:its\s+|the\s+)?(?:id|number|name|title|address|slug|key))\b/i;
/** What a detail counts more, where the objective speaks of one thing. */
const ONE_BONUS = 0.2;
const WORDS_MAX = 2;
/** Names of places in addresses that do not say what stands there. */
const UNTELLING = /^(?:slug|page|index|title|wiki|name|data|api|details?|show|item|view|catalog(?:ue)?|browse|list|node|record|entry)$/;

/** True for an objective that speaks of one thing, and not of all of a kind. */
export function asksForOne(objective: string): boolean {
  return ASKS_FOR_ONE.test(objective);
}

/** How well a kind of records that `texts` speak of fits the objective, 0 to 1: as a list does, and better where it asks for one thing. */
export function matchOf(objective: string, texts: readonly string[]): number {
  const match = matchObjective(objective, texts);
  return match === 0 ? 0 : Math.round(Math.min(1, match + (asksForOne(objective) ? ONE_BONUS : 0)) * 1000) / 1000;
}

/** What one record is: as its address says it in `place`, or as the objective does before it names fields. */
export function thingFrom(place: string, objective: string): string {
  if (/^[a-z]{4,}$/.test(place) && !UNTELLING.test(place)) return place;
  const [head = ''] = objective.split(/\b(?:with|by|including|of|for|from|at)\b/i);
  const words = objectiveWords(head).map(singular);
  return words.length > 0 ? words.slice(0, WORDS_MAX).join('_') : 'page';
}

/** Of an English plural its singular, as far as the word itself tells. */
export function singular(word: string): string {
  if (/ies$/i.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|sses|xes)$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}
