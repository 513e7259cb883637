import type { Operation } from '../operation.ts';
import { anyOf, newDomain, pick, read } from '../requests.ts';
import { checkFrame, createFrame, infoFrame } from './frames.ts';

const NAMES_PER_CHECK = 5;

const anyFrameOf = (frames: readonly Buffer[]) => () => pick(frames);

/** Commands of EPP through sessions of one user, each beside the REST call for the same over TLS. */
export const eppOperations: readonly Operation[] = [
  {
    name: 'EPP domain info',
    kind: 'read',
    secure: true,
    requests: ({ alpha }) => anyFrameOf(alpha.domains.map(({ name }) => infoFrame(name))),
    rest: {
      call: 'GET domain',
      requests: ({ alpha }) => anyOf(alpha.domains.map(({ name }) => read(alpha, `/domains/${name}`))),
    },
  },
  {
    name: 'EPP domain check, 5 names',
    kind: 'read',
    secure: true,
    requests: ({ alpha }) => {
      const names = alpha.domains.flatMap(({ name }) => [name, `free-${name}`]);
      return anyFrameOf(
        names.map(() => checkFrame(Array.from({ length: NAMES_PER_CHECK }, () => pick(names)))),
      );
    },
    rest: {
      call: 'check domain, 1 name',
      requests: ({ alpha }) => {
        const names = alpha.domains.flatMap(({ name }) => [name, `free-${name}`]);
        return anyOf(names.map((name) => read(alpha, `/domains/check/${name}`)));
      },
    },
  },
  {
    name: 'EPP domain create',
    kind: 'write',
    secure: true,
    requests:
      ({ alpha }) =>
      () =>
        createFrame(alpha),
    rest: {
      call: 'POST domain',
      requests:
        ({ alpha }) =>
        () =>
          newDomain(alpha),
    },
  },
];
