import type { FastifyInstance } from 'fastify';
import type { OpenDoor } from '../door.ts';
import { type SandboxPowers, sandboxControls } from './controls.ts';
import type { SandboxAddresses } from './sandbox-addresses.ts';
import { type TrialPowers, trialRoutes } from './trial/trial-routes.ts';

type Dependencies = {
  readonly app: FastifyInstance;
  readonly powers: SandboxPowers;
  readonly addresses: () => SandboxAddresses;
  readonly trials: TrialPowers;
};

/** The controls of the sandbox, and the forms that try a call of /docs. */
export async function startSandboxRoutes(parts: Dependencies): Promise<OpenDoor> {
  const { app, powers, addresses, trials } = parts;
  await app.register(async (scope) => {
    // Moving the clock by years exceeds the usual timeout.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, answerTimeoutMs: Number.POSITIVE_INFINITY };
    });
    sandboxControls(scope, powers, addresses);
    trialRoutes(scope, trials);
  });
  return {};
}
