import type { HttpDoorDependencies, OpenDoor } from '../../door.ts';
import { confirmPages } from './confirmation-routes.ts';

/** The pages on which registrants confirm or reject. */
export async function startConfirmation(parts: HttpDoorDependencies): Promise<OpenDoor> {
  const { mode, failuresPerMinute } = parts.config;
  const pages = confirmPages({ ...parts, mode, guessesPerMinute: failuresPerMinute });
  await parts.app.register(pages, { prefix: '/confirm' });
  return {};
}
