// Persons who act for runs that wait for them.
import { AppError } from '@weft/contract';

/** What is asked of a person. */
export interface Question {
  readonly stepId: string;
  readonly reason: string;
  readonly instructions: string;
}

export interface People {
  /** What a person says; rejects with the reason of `signal`. */
  ask(runId: number, question: Question, signal: AbortSignal): Promise<string>;
  /** What run `id` waits for; undefined where it waits for nobody. */
  questionOf(runId: number): Question | undefined;
  /** Throws AppError `conflict` where the run waits for nobody. */
  answer(runId: number, text: string): void;
}

export function createPeople(): People {
  const asked = new Map<number, { readonly question: Question; readonly answer: (text: string) => void }>();
  return {
    ask: (runId, question, signal) =>
      new Promise((resolve, reject) => {
        const end = () => {
          asked.delete(runId);
          signal.removeEventListener('abort', stop);
        };
        const stop = () => {
          end();
          reject(new Error('The run was stopped.'));
        };
        const answer = (text: string) => {
          end();
          resolve(text);
        };
        asked.set(runId, { question, answer });
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop);
      }),
    questionOf: (runId) => asked.get(runId)?.question,
    answer(runId, text) {
      const waiting = asked.get(runId);
      if (!waiting) throw new AppError('conflict', `Run ${runId} waits for nobody.`);
      waiting.answer(text);
    },
  };
}
