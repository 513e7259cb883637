import { argument, type Command, UsageError } from '../command.ts';
import { parseKey, parseNameserver } from '../domain-parts.ts';
import { reportChange } from './domains.ts';

/** What a domain's delegation is made of: nameservers, DNSSEC keys, and whether it is in the zone. */
export const delegationCommands: readonly Command[] = [
  {
    name: 'nameserver list',
    parameters: 'DOMAIN',
    summary: 'The nameservers of a domain',
    async run(context) {
      const { data } = await (await context.registry()).nameservers.list(argument(context));
      for (const nameserver of data.nameservers)
        context.printer.row(nameserver, {
          Host: nameserver.hostname,
          Addresses: [...nameserver.ipv4, ...nameserver.ipv6].join(' '),
        });
    },
  },
  {
    name: 'nameserver add',
    parameters: 'DOMAIN HOST[=IP,…]…',
    summary: 'Adds nameservers, with their addresses if they are below the domain itself',
    changes: true,
    async run(context) {
      const [domain = '', ...hosts] = context.args;
      const registry = await context.registry();
      const { data } = await registry.nameservers.add(domain, hosts.map(parseNameserver), context.change);
      reportChange(context, data, `${domain} has ${hosts.length} more`);
    },
  },
  {
    name: 'nameserver remove',
    parameters: 'DOMAIN [HOST]',
    summary: 'Removes a nameserver; with --all every one, and the domain leaves the zone',
    changes: true,
    options: { all: { description: 'all nameservers of the domain' } },
    async run(context) {
      const [domain = '', host] = context.args;
      if ((host === undefined) !== context.flag('all')) throw new UsageError('either HOST or --all');
      const { nameservers } = await context.registry();
      const { data } =
        host === undefined
          ? await nameservers.removeAll(domain, context.change)
          : await nameservers.remove(domain, host, context.change);
      reportChange(context, data, `${host ?? 'every nameserver'} is removed from ${domain}`);
    },
  },
  {
    name: 'dnskey list',
    parameters: 'DOMAIN',
    summary: 'The DNSSEC keys of a domain',
    async run(context) {
      const { data } = await (await context.registry()).dnssec.list(argument(context));
      for (const key of data.dns_keys)
        context.printer.row(key, {
          Flags: key.flags,
          Protocol: key.protocol,
          Algorithm: key.alg,
          Key: key.public_key,
        });
    },
  },
  {
    name: 'dnskey add',
    parameters: 'DOMAIN FLAGS PROTOCOL ALGORITHM KEY…',
    summary: 'Adds a DNSSEC key, written as in a DNSKEY record: 257 3 13 mdsswUyr…',
    changes: true,
    async run(context) {
      const [domain = '', ...words] = context.args;
      const registry = await context.registry();
      const { data } = await registry.dnssec.add(domain, [parseKey(words.join(' '))], context.change);
      reportChange(context, data, `${domain} has the key`);
    },
  },
  {
    name: 'dnskey remove',
    parameters: 'DOMAIN FLAGS PROTOCOL ALGORITHM KEY…',
    summary: 'Removes a DNSSEC key, written like that',
    changes: true,
    async run(context) {
      const [domain = '', ...words] = context.args;
      const registry = await context.registry();
      const { data } = await registry.dnssec.remove(domain, [parseKey(words.join(' '))], context.change);
      reportChange(context, data, `the key is removed from ${domain}`);
    },
  },
  {
    name: 'domain hold',
    parameters: 'NAME',
    summary: 'Sets clientHold: the domain leaves the zone',
    changes: true,
    async run(context) {
      const registry = await context.registry();
      const { data } = await registry.statuses.set(argument(context), HOLD, context.change);
      reportChange(context, data, `${argument(context)} is on hold`);
    },
  },
  {
    name: 'domain unhold',
    parameters: 'NAME',
    summary: 'Removes clientHold',
    changes: true,
    async run(context) {
      const registry = await context.registry();
      const { data } = await registry.statuses.remove(argument(context), HOLD, context.change);
      reportChange(context, data, `${argument(context)} is not on hold`);
    },
  },
];

const HOLD = 'clientHold';
