// weft api show <build>
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { idOf, newestOf } from './follow.ts';
import { wordsOfHealth } from './health-words.ts';
import { wordsOfBuild, wordsOfEvidence } from './words.ts';

export const run: CommandRun = async (context, [id = ''], options) => {
  const client = await context.client();
  const { signal } = context;
  if (options['evidence'] === true) {
    const evidence = await client.builds.evidence({ id: await idOf(client, id, signal) }, { signal });
    context.show(evidence, wordsOfEvidence(evidence));
    return EXIT.done;
  }
  const build = await newestOf(client, id, signal);
  if (options['health'] === true) {
    context.show(build.health ?? {}, build.health ? wordsOfHealth(build.health) : 'Nothing of it is proved, so nothing is proved again.');
    return EXIT.done;
  }
  if (options['openapi'] !== true) {
    context.show(build, wordsOfBuild(build));
    return EXIT.done;
  }
  if (!build.openapi) {
    context.say(`weft: build ${build.build_id} has no proved function, so there is no document.`);
    return EXIT.failed;
  }
  context.print(JSON.stringify(build.openapi, null, 2));
  return EXIT.done;
};
