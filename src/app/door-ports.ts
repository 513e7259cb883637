import { isOpened, type PortSetting } from '../doors/own-port.ts';
import { type Config, ConfigError, checkEppKey } from '../platform/config/config.ts';
import { settings } from '../platform/config/settings.ts';
import { DOORS, type DoorName, type ProductDependencies } from './product-dependencies.ts';

/** The doors that are no routes of the HTTP server, and the settings of their ports. */
const OWN_PORTS = { epp: 'eppPort', dns: 'dnsPort', whois: 'whoisPort' } as const;
type PortDoor = keyof typeof OWN_PORTS;
const hasOwnPort = (name: DoorName): name is PortDoor => name in OWN_PORTS;

type OwnPort = { readonly door: PortDoor; readonly setting: string; readonly port: PortSetting };

/** Of these doors, those beside HTTP with what their settings say; of all doors if undefined. */
export const ownPortsOf = (doors: readonly DoorName[] = DOORS, config: Config): OwnPort[] =>
  doors.filter(hasOwnPort).map((door) => {
    const name = OWN_PORTS[door];
    return { door, setting: settings[name].env, port: config[name] };
  });

/** A door that was named needs a port, unless it was closed on purpose: a unit can then name it in every installation. */
export function requirePorts(doors: readonly DoorName[], config: Config): void {
  const missing = ownPortsOf(doors, config).find(({ port }) => port === undefined);
  if (missing)
    throw new ConfigError(
      `${missing.setting} must be set where the door ${missing.door} is to be served: to a port, or to off.`,
    );
}

/** EPP is over TLS only. */
export function requireEppKey(doors: readonly DoorName[] = DOORS, config: Config): void {
  const complaints = doors.includes('epp') ? checkEppKey(config) : [];
  if (complaints.length > 0) throw new ConfigError(complaints.join('\n'));
}

/** Of several processes of one `serve`, the one that serves the zones: it is enough for the few secondaries. */
const DNS_PROCESS = 1;

/** Whether a process serves a door: it is to, and the settings open its port. */
export const isServed = (
  door: DoorName,
  { doors = DOORS, config, supervised }: Pick<ProductDependencies, 'doors' | 'config' | 'supervised'>,
): boolean =>
  doors.includes(door) &&
  (!hasOwnPort(door) || isOpened(config[OWN_PORTS[door]], config)) &&
  (door !== 'dns' || (supervised?.number ?? DNS_PROCESS) === DNS_PROCESS);
