/** An element of a received frame as a plain value. */
export type XmlElement = {
  /** The URI of its namespace; empty if it has none. */
  readonly namespace: string;
  /** Without its prefix. */
  readonly name: string;
  /** Those without a namespace, by name, and `xml:lang` as `lang`. Others, such as `xsi:schemaLocation`, are left out. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own character data, CDATA included, as sent. */
  readonly text: string;
};
