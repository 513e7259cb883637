import { argument, type Command, UsageError } from '../command.ts';
import { type Profile, readProfiles, writeProfiles } from '../profiles.ts';

export const profileCommands: readonly Command[] = [
  {
    name: 'profile add',
    parameters: 'NAME',
    summary: 'Saves how to reach a registry; the first profile is the default',
    options: {
      url: { value: 'URL', description: 'address of the registry' },
      username: { value: 'NAME', description: 'the API user' },
      'password-file': { value: 'FILE', description: 'a file of mode 600 that has the password' },
      certificate: { value: 'FILE', description: 'client certificate, PEM' },
      'certificate-key': { value: 'FILE', description: 'its key, PEM' },
      authority: { value: 'FILE', description: 'certificate of the authority to trust, PEM' },
    },
    async run(context) {
      const name = argument(context);
      const { profiles, default: usual } = await readProfiles(context.environment);
      const [passwordFile, certificateFile, keyFile, authorityFile] = [
        context.text('password-file'),
        context.text('certificate'),
        context.text('certificate-key'),
        context.text('authority'),
      ];
      const profile: Profile = {
        url: new URL(context.requireText('url')).href,
        username: context.requireText('username'),
        ...(passwordFile && { passwordFile }),
        ...(certificateFile && { certificateFile }),
        ...(keyFile && { keyFile }),
        ...(authorityFile && { authorityFile }),
      };
      await writeProfiles(context.environment, {
        default: usual ?? name,
        profiles: { ...profiles, [name]: profile },
      });
      context.printer.item({ profile: name }, `profile ${name} is saved`);
    },
  },
  {
    name: 'profile list',
    summary: 'Shows the profiles; the default is marked',
    async run({ environment, printer }) {
      const { profiles, default: usual } = await readProfiles(environment);
      for (const [name, { url, username }] of Object.entries(profiles))
        printer.row(
          { name, url, username, default: name === usual },
          { '': name === usual ? '*' : ' ', Name: name, URL: url, User: username },
        );
    },
  },
  {
    name: 'profile use',
    parameters: 'NAME',
    summary: 'Makes a profile the default',
    async run(context) {
      const name = argument(context);
      const { profiles } = await readProfiles(context.environment);
      if (!profiles[name]) throw new UsageError(`there is no profile ${name}`);
      await writeProfiles(context.environment, { default: name, profiles });
      context.printer.item({ profile: name }, `profile ${name} is the default`);
    },
  },
  {
    name: 'profile remove',
    parameters: 'NAME',
    summary: 'Removes a profile',
    async run(context) {
      const name = argument(context);
      const { profiles, default: usual } = await readProfiles(context.environment);
      const { [name]: removed, ...others } = profiles;
      if (!removed) throw new UsageError(`there is no profile ${name}`);
      await writeProfiles(context.environment, {
        ...(usual && usual !== name && { default: usual }),
        profiles: others,
      });
      context.printer.item({ profile: name }, `profile ${name} is removed`);
    },
  },
];
