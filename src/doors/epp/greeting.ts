import { EXTENSION_URIS, OBJECT_URIS } from './namespaces.ts';
import { document } from './response.ts';
import { xml } from './xml/write.ts';

const [objects, extensions] = [OBJECT_URIS, EXTENSION_URIS].map((uris, index) =>
  uris.map((uri) => (index === 0 ? xml`<objURI>${uri}</objURI>` : xml`<extURI>${uri}</extURI>`)),
);

/** The first frame of a connection, and the answer to hello. Its date follows the wall clock. */
export const greeting = (envelope: string, serverName: string, now: Date): string =>
  document(
    envelope,
    xml`<greeting><svID>${serverName}</svID><svDate>${now.toISOString()}</svDate><svcMenu><version>1.0</version><lang>en</lang>${objects}<svcExtension>${extensions}</svcExtension></svcMenu><dcp><access><all/></access><statement><purpose><admin/><prov/></purpose><recipient><public/></recipient><retention><stated/></retention></statement></dcp></greeting>`,
  );
