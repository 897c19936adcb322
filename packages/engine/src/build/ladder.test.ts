import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { beginLadder, endRung, isEnded, newestRung, startRung, viewRung } from './ladder.ts';
import type { FallbackReason, Ladder, RungEnd } from './ladder.ts';

const handOver = (reason: FallbackReason): RungEnd => ({ kind: 'handed_over', reason, measured: '3 pages.', aiSupervise: false });
const climb = (ends: readonly RungEnd[]): Ladder => {
  let next = 1;
  return ends.reduce<Ladder>(
    (ladder, end) => endRung(startRung(ladder), end, () => `b${(next += 1)}`),
    beginLadder('b1', { respectRobots: true }),
  );
};

suite('the ladder of a build', () => {
  test('stops at the rung that proves, and shows no escalation where there was none', () => {
    const ladder = climb([{ kind: 'proved', aiSupervise: true }]);
    assert.equal(isEnded(ladder), true);
    assert.deepEqual(viewRung(ladder, 'b1'), {
      build_id: 'b1',
      rung: 'static',
      mode: 'crawl',
      status: 'proved',
      respect_robots: true,
      ai_supervise: true,
    });
  });

  test('says of a rung that proved something which limit ended it', () => {
    const ladder = climb([{ kind: 'proved', aiSupervise: false, measured: 'It ended early.' }]);
    assert.equal(viewRung(ladder, 'b1')?.measured, 'It ended early.');
  });

  test('keeps on a replaced rung by which build and why, and the escalations on the newest alone, oldest first', () => {
    const ladder = climb([handOver('robots_refused'), handOver('robots_refused')]);
    assert.deepEqual(viewRung(ladder, 'b1'), {
      build_id: 'b1',
      rung: 'static',
      mode: 'crawl',
      status: 'replaced',
      respect_robots: true,
      ai_supervise: false,
      fallback_build_id: 'b2',
      fallback_reason: 'robots_refused',
      measured: '3 pages.',
    });
    assert.equal(viewRung(ladder, 'b2')?.escalations, undefined);
    assert.deepEqual(viewRung(ladder, 'b3'), {
      build_id: 'b3',
      rung: 'ai',
      mode: 'sweep',
      status: 'queued',
      escalations: [
        { build_id: 'b1', rung: 'static', mode: 'crawl', reason: 'robots_refused' },
        { build_id: 'b2', rung: 'rendered', mode: 'rendered_crawl', reason: 'robots_refused' },
      ],
    });
  });

  test('fails where the last rung would hand over, and stays as it ended', () => {
    const ladder = climb([handOver('no_page_fetched'), handOver('no_structured_list'), handOver('nothing_matched_objective')]);
    assert.equal(newestRung(ladder).status, 'failed');
    assert.equal(ladder.length, 3);
    assert.equal(
      endRung(ladder, { kind: 'proved', aiSupervise: false }, () => 'b9'),
      ladder,
    );
    assert.equal(startRung(ladder), ladder);
  });

  test('shows nothing for an id of another build', () => {
    assert.equal(viewRung(climb([]), 'b7'), undefined);
  });
});
