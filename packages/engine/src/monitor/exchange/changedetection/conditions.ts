// Conditions of changedetection.io: comparisons of the text that is left, or of a number in it.
import type { Condition } from '@weft/contract';
import { literalTemplate, textIn } from '../../../run/exchange/untrusted.ts';
import type { Draft } from '../draft.ts';
import { escaped } from '../expressions.ts';

type Members = Readonly<Record<string, unknown>>;
type Op = Extract<Condition, { readonly op: unknown }>['op'];

const TEXT = '{{text}}';
/** What the extractor is called that reads the number. */
const NUMBER = 'number';
const ORDER: Readonly<Record<string, Op>> = { '>': 'gt', '<': 'lt', '>=': 'ge', '<=': 'le', '==': 'eq', '!=': 'ne' };
/** RE2 counts no further. */
const LENGTH_MAX = 1000;

/** One rule as a condition; undefined for one that is not whole, or has no equivalent, which is told. */
export function conditionOf(rule: Members, member: string, draft: Draft): Condition | undefined {
  const [field, operator] = [textIn(rule, 'field') ?? '', textIn(rule, 'operator') ?? ''];
  const value = typeof rule['value'] === 'number' ? String(rule['value']) : textIn(rule, 'value');
  if ([field, operator, value ?? ''].some((part) => part === '' || part === 'None') || value === undefined) return undefined;
  const condition =
    field === 'extracted_number' ? ofNumber(operator, value, draft) : field === 'page_filtered_text' ? ofText(operator, value) : undefined;
  if (!condition) draft.pause(member, `"${field} ${operator} ${value.slice(0, 100)}" has no equivalent; say it as "when".`);
  else if (operator.endsWith('contains_regex') && !draft.canRead(`/${value}/i`, member)) return undefined;
  return condition;
}

/** The number is read apart, of the first element that is selected. */
function ofNumber(operator: string, value: string, draft: Draft): Condition | undefined {
  const op = ORDER[operator];
  if (op === undefined || !Number.isFinite(Number(value))) return undefined;
  const place = draft.selectors[0]?.selector ?? 'body';
  const isThere = draft.selectors.some(({ extractors = [] }) => extractors.some(({ name }) => name === NUMBER));
  if (draft.selectors.length === 0) draft.selectors.push({ selector: 'body' });
  if (!isThere) draft.selectors.push({ selector: place, extractors: [{ type: 'number', name: NUMBER }] });
  return { value: `{{values.${NUMBER}}}`, op, with: Number(value) };
}

function ofText(operator: string, value: string): Condition | undefined {
  const matching = (pattern: string): Condition => ({ value: TEXT, op: 'matches', with: literalTemplate(`/${pattern}/i`) });
  const length = Number(value);
  const isLength = Number.isInteger(length) && length >= 0 && length <= LENGTH_MAX;
  switch (operator) {
    case 'in':
      return { value: TEXT, op: 'contains', with: literalTemplate(value) };
    case '!in':
      return { not: { value: TEXT, op: 'contains', with: literalTemplate(value) } };
    case '==':
    case '!=':
      return { value: TEXT, op: operator === '==' ? 'eq' : 'ne', with: literalTemplate(value) };
    case 'starts_with':
      return matching(`^\\s*${escaped(value.trim())}`);
    case 'ends_with':
      return matching(`${escaped(value.trim())}\\s*$`);
    case 'contains_regex':
      return matching(value);
    case '!contains_regex':
      return { not: matching(value) };
    case 'length_min':
      return isLength ? matching(`^[\\s\\S]{${length},}`) : undefined;
    case 'length_max':
      return isLength ? matching(`^[\\s\\S]{0,${length}}$`) : undefined;
    default:
      return undefined;
  }
}
