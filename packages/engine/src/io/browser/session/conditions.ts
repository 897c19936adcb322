// What elements are waited for: how many there are that look, say and hold what was asked.
import type { ElementCondition } from '../../../run/session.ts';
import { handleOf, isShown } from '../live/find.ts';
import type { LiveElement } from '../live/find.ts';

/** Whether as many of `elements` as `condition` wants are as it wants them. */
export async function meets(elements: readonly LiveElement[], condition: ElementCondition): Promise<boolean> {
  return isCount(await countMeeting(elements, condition), condition);
}

function isCount(count: number, { operator, count: wanted }: ElementCondition): boolean {
  if (operator === '>=') return count >= wanted;
  return operator === '<=' ? count <= wanted : count === wanted;
}

async function countMeeting(elements: readonly LiveElement[], condition: ElementCondition): Promise<number> {
  const { isVisible, attributes = {}, properties } = condition;
  let count = 0;
  for (const each of elements) {
    if (isVisible !== undefined && isShown(each) !== isVisible) continue;
    if (Object.entries(attributes).some(([name, value]) => each.element.attribs[name.toLowerCase()] !== value)) continue;
    if (properties && !(await hasProperties(each, properties))) continue;
    count += 1;
  }
  return count;
}

async function hasProperties(each: LiveElement, properties: Readonly<Record<string, unknown>>): Promise<boolean> {
  const handle = await handleOf(each);
  if (!handle) return false;
  const same = await handle.evaluate(
    (element, wanted) =>
      Object.entries(wanted).every(([name, value]) => JSON.stringify(Reflect.get(element, name)) === JSON.stringify(value)),
    properties,
  );
  await handle.dispose();
  return same;
}
