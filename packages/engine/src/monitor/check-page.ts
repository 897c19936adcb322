// The work of a check in the thread that reads pages: one parse, and the verdict on what it gave.
import type { PageReading, ReadingPlan } from './plan.ts';
import { readPage } from './reading/read-page.ts';
import { judgeReading } from './verdict/judge.ts';
import type { JudgeRequest, Judgement } from './verdict/judgement.ts';

/** The page, what to read of it and what to hold it against. */
export interface CheckRequest {
  readonly plan: ReadingPlan;
  readonly judge: JudgeRequest;
}

/** What was read, and what it means. */
export interface CheckReading {
  readonly reading: PageReading;
  readonly judgement: Judgement;
}

/** Throws PageError for a page that can't be read. */
export async function checkPage({ plan, judge }: CheckRequest): Promise<CheckReading> {
  const reading = await readPage(plan);
  return { reading, judgement: await judgeReading(reading, judge) };
}
