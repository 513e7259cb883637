// In place of the library of schemas, where its types are of no interest.
export {};
