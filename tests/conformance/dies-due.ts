// An agent's loop of schedules that ends itself with SIGKILL in the middle of what is due. A program: `node dies-due.ts <home> <begun>`.
import { scheduleStage } from '../schedule-stage.ts';

export const DUE = 40;

if (import.meta.main) {
  const [home = '', diesAt] = process.argv.slice(2);
  let begun = 0;
  const stage = scheduleStage({
    home,
    begin(_ownerId, _occurrence, makeRun) {
      const id = makeRun();
      // In the transaction that makes the run and moves its row on.
      if (++begun === Number(diesAt)) process.kill(process.pid, 'SIGKILL');
      return id;
    },
  });
  for (let id = 1; id <= DUE; id++) stage.schedules.set('check', id, stage.clock.now() + id);
  stage.start();
  stage.clock.advance(1000);
}
