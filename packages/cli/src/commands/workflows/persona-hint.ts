// Says what a workflow lacks that sends what only a persona holds.
import type { Workflow } from '@weft/contract';
import type { CommandContext } from '../../context.ts';

/** Says nothing where the workflow acts as somebody, or sends nothing of anybody. */
export function sayMissingPersona(context: CommandContext, { slug, steps, persona_id: personaId }: Workflow): void {
  if (personaId !== undefined || !/\{\{persona\.|"type":"login"/.test(JSON.stringify(steps))) return;
  context.say(
    `weft: its passwords are those of a persona; make one with weft persona add, and then: weft workflow edit ${slug} --persona <persona>`,
  );
}
