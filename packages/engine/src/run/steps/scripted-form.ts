// Leaves a form to a browser where scripts of its page change what is sent.
import { LaneFault } from '../fault.ts';
import type { ReadForm } from '../reading/forms.ts';
import type { StepWork } from '../step-work.ts';

/**
 * Throws LaneFault `scripted_form` in the HTTP lane, before anything is sent. What a page says of its scripts (`form.script`) counts where the
 * run may go on in a browser; `unsent`, what the form would leave out, in any case.
 */
export async function leaveToScripts({ script }: ReadForm, unsent: string | undefined, work: StepWork): Promise<void> {
  const { lane } = await work.room.driver();
  const why = unsent ?? ((await work.maySwitch()) ? script : undefined);
  if (lane === 'http' && why !== undefined)
    throw new LaneFault('scripted_form', `${work.url ?? 'The page'} has a form that HTTP can't send: ${why}; set "lane": "browser".`);
}
