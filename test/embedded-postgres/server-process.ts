import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';

// A separate process that starts the server on the given home, reports the result, and waits for its end.
const [, , home = ''] = process.argv;
const notes: string[] = [];
try {
  const settings = { fsync: 'off' };
  const server = await startEmbeddedPostgres(home, { settings, note: (sentence) => notes.push(sentence) });
  const { stop, ...facts } = server;
  process.stdout.write(`${JSON.stringify({ ...facts, notes })}\n`);
  process.stdin.resume().once('end', () => void stop().then(() => process.exit(0)));
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refusal: String(error) })}\n`);
}
