// What is asked of a large tree of Go, Rust, Python and others.
export const QUERIES = [
  'how are errors wrapped and reported to the caller',
  'parse command line flags',
  'TLS handshake certificate verification',
  'http client connection pool and keep alive',
  'hash map insert and resize',
  'garbage collector mark phase',
  'read file into buffer',
  'ServeMux',
  'format a date as a string',
  'thread spawn and join',
  'regular expression compile',
  'json decoder',
]
