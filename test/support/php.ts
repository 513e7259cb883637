import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { debianPackages } from './debian-packages.ts';

/** The libraries that PHP and its curl need, beside those of every Debian. */
const LIBRARIES = [
  ...['libc6', 'libgcc-s1', 'libstdc++6', 'zlib1g', 'libtinfo6', 'libmd0', 'libbsd0', 'libedit2', 'liblzma5'],
  ...[
    'libxml2',
    'libicu72',
    'libpcre2-8-0',
    'libssl3',
    'libargon2-1',
    'libsodium23',
    'libcurl4',
    'libnghttp2-14',
  ],
  ...[
    'libidn2-0',
    'librtmp1',
    'libssh2-1',
    'libpsl5',
    'libgssapi-krb5-2',
    'libldap-2.5-0',
    'libzstd1',
    'libbrotli1',
  ],
  ...['libunistring2', 'libgnutls30', 'libhogweed6', 'libnettle8', 'libgmp10', 'libkrb5-3', 'libk5crypto3'],
  ...['libcom-err2', 'libkrb5support0', 'libsasl2-2', 'libkeyutils1', 'libp11-kit0', 'libtasn1-6', 'libffi8'],
];

/** How PHP with curl is run: that of this machine, or that of Debian; or why there is none. */
export function phpCommand():
  | { readonly command: readonly [string, ...string[]] }
  | { readonly reason: string } {
  if (hasCurl(['php'])) return { command: ['php'] };
  const unpacked = debianPackages('bookworm', 'php8.2-cli', ['php8.2-common', 'php8.2-curl', ...LIBRARIES]);
  if ('reason' in unpacked) return unpacked;
  const command = commandIn(unpacked.root);
  return hasCurl(command) ? { command } : { reason: 'the PHP of Debian does not run on this machine' };
}

/** Of this release some libraries are in /lib, as is the loader. */
function commandIn(root: string): readonly [string, ...string[]] {
  const entryOf = (folder: string, pattern: RegExp) =>
    path.join(folder, readdirSync(folder).find((entry) => pattern.test(entry)) ?? '');
  const folders = ['lib', 'usr/lib'].map((folder) => entryOf(path.join(root, folder), /-linux-gnu$/));
  const loader = entryOf(folders[0] ?? '', /^ld-linux-.*\.so\.\d$/);
  const modules = entryOf(path.join(root, 'usr/lib/php'), /^\d{8}$/);
  const php = path.join(root, 'usr/bin/php8.2');
  return [
    loader,
    '--library-path',
    folders.join(':'),
    php,
    '-n',
    '-d',
    `extension=${path.join(modules, 'curl.so')}`,
  ];
}

function hasCurl([program, ...words]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(program, [...words, '-r', 'curl_init();'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
