import type { ApiDocuments } from '../doors/pages/reference.ts';
import { startPages } from '../doors/pages/start.ts';
import type { SandboxPowers } from '../doors/sandbox/controls.ts';
import type { OpenDoors } from './open-doors.ts';
import { portAddresses, portCommands } from './port-addresses.ts';
import { sandboxKeys, trialCredentials } from './sandbox-keys.ts';
import {
  consoleAddress,
  SANDBOX_LINKS,
  sandboxAddresses,
  seedCredentials,
  seedPeople,
} from './sandbox-pages.ts';
import type { SharedDependencies } from './shared-dependencies.ts';

/** Opens what every process has beside its doors: health, the home page, the reference, and in the sandbox its controls. */
export async function openOwnPages(
  shared: SharedDependencies,
  open: OpenDoors,
  apis: ApiDocuments,
): Promise<void> {
  const { config, origin, availability, sandbox } = shared;
  const pages = await startPages({
    ...shared,
    apis,
    isStopping: () => availability.isStopping,
    clockFault: availability.clockFault,
    origin: () => origin.url,
    metricsUrl: () => open.urlOf('metrics'),
    credentials: sandbox ? seedCredentials() : [],
    console: () => ({ url: consoleAddress(origin), people: seedPeople() }),
    keys: sandbox ? sandboxKeys(config) : [],
    commands: () => portCommands(shared, open),
    links: sandbox ? SANDBOX_LINKS : [],
  });
  open.add('pages', pages);
  if (sandbox) await openControls(shared, sandbox, open, apis);
}

async function openControls(
  shared: SharedDependencies,
  sandbox: SandboxPowers,
  open: OpenDoors,
  apis: ApiDocuments,
): Promise<void> {
  const { app, calls, config, origin } = shared;
  const { startSandboxRoutes } = await import('../doors/sandbox/start.ts');
  const reset = async () => {
    await calls.forget();
    await sandbox.reset();
    await calls.forget();
    open.forget();
  };
  const controls = await startSandboxRoutes({
    app,
    powers: { ...sandbox, reset },
    addresses: () => sandboxAddresses(origin, open.urlOf('metrics'), portAddresses(shared, open)),
    trials: { apis, seed: () => trialCredentials(config), ownUrl: () => origin.ownUrl },
  });
  open.add('sandbox', controls);
}
