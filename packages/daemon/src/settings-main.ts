// A program of its own that lists the settings in a file, as JSON. The command line starts it.
import { ConfigError } from './config.ts';
import { listSettings } from './settings-words.ts';

try {
  process.stdout.write(JSON.stringify(listSettings(process.argv[2] ?? '')));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stdout.write(JSON.stringify({ error: error.message }));
}
