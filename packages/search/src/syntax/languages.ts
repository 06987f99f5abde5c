/** What the chunker must know of a language. Types are those of its tree-sitter grammar. */
export interface Language {
  readonly name: string
  /** File of the grammar without `tree-sitter-` and `.wasm`; languages without one are chunked by lines. */
  readonly grammar?: string
  readonly extensions: readonly string[]
  /** Nodes that define a function. */
  readonly functions?: readonly string[]
  /** Nodes that define a type and hold further definitions. */
  readonly types?: readonly string[]
  /** Nodes that name a constant, a variable or a macro; in scripts the value may turn out to be a function. */
  readonly values?: readonly string[]
  /** Nodes that lend their name to what they hold but define nothing themselves: a Rust `impl`. */
  readonly scopes?: readonly string[]
  /** Nodes that only wrap definitions: exports, decorators, namespaces, conditional compilation. */
  readonly wrappers?: readonly string[]
}

const SCRIPT = {
  functions: [
    'function_declaration',
    'generator_function_declaration',
    'method_definition',
    'function_signature',
    'method_signature',
    'abstract_method_signature',
  ],
  types: [
    'class_declaration',
    'abstract_class_declaration',
    'interface_declaration',
    'enum_declaration',
    'type_alias_declaration',
    'class',
  ],
  values: ['variable_declarator', 'assignment_expression', 'public_field_definition'],
  wrappers: [
    'export_statement',
    'lexical_declaration',
    'variable_declaration',
    'internal_module',
    'module',
    'ambient_declaration',
    'expression_statement',
    'call_expression',
    'arguments',
    'function_expression',
    'arrow_function',
    'parenthesized_expression',
    'class_body',
    'statement_block',
  ],
}

export const LANGUAGES: readonly Language[] = [
  { name: 'typescript', grammar: 'typescript', extensions: ['.ts', '.mts', '.cts'], ...SCRIPT },
  { name: 'tsx', grammar: 'tsx', extensions: ['.tsx'], ...SCRIPT },
  {
    name: 'javascript',
    grammar: 'javascript',
    extensions: ['.js', '.mjs', '.cjs', '.jsx'],
    ...SCRIPT,
  },
  {
    name: 'python',
    grammar: 'python',
    extensions: ['.py', '.pyi'],
    functions: ['function_definition'],
    types: ['class_definition'],
    values: ['assignment'],
    wrappers: [
      'expression_statement',
      'decorated_definition',
      'block',
      'if_statement',
      'try_statement',
      'else_clause',
      'except_clause',
    ],
  },
  {
    name: 'go',
    grammar: 'go',
    extensions: ['.go'],
    functions: ['function_declaration', 'method_declaration'],
    types: ['type_spec', 'type_alias'],
    values: ['const_spec', 'var_spec'],
    wrappers: ['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
  },
  {
    name: 'rust',
    grammar: 'rust',
    extensions: ['.rs'],
    functions: ['function_item', 'macro_definition', 'function_signature_item'],
    types: ['struct_item', 'enum_item', 'trait_item', 'union_item', 'type_item'],
    values: ['const_item', 'static_item'],
    scopes: ['impl_item', 'mod_item'],
    wrappers: ['declaration_list', 'foreign_mod_item'],
  },
  {
    name: 'java',
    grammar: 'java',
    extensions: ['.java'],
    functions: ['method_declaration', 'constructor_declaration', 'compact_constructor_declaration'],
    types: [
      'class_declaration',
      'interface_declaration',
      'enum_declaration',
      'record_declaration',
      'annotation_type_declaration',
    ],
    wrappers: [
      'class_body',
      'interface_body',
      'enum_body',
      'enum_body_declarations',
      'annotation_type_body',
    ],
  },
  {
    name: 'c-sharp',
    grammar: 'c-sharp',
    extensions: ['.cs'],
    functions: [
      'method_declaration',
      'constructor_declaration',
      'local_function_statement',
      'operator_declaration',
      'property_declaration',
    ],
    types: [
      'class_declaration',
      'interface_declaration',
      'struct_declaration',
      'enum_declaration',
      'record_declaration',
      'delegate_declaration',
    ],
    wrappers: ['namespace_declaration', 'file_scoped_namespace_declaration', 'declaration_list'],
  },
  {
    name: 'c++',
    grammar: 'cpp',
    extensions: ['.cpp', '.cc', '.cxx', '.hpp', '.hh', '.hxx', '.h', '.c', '.inl', '.ipp'],
    functions: ['function_definition', 'preproc_function_def'],
    types: [
      'class_specifier',
      'struct_specifier',
      'enum_specifier',
      'union_specifier',
      'type_definition',
      'alias_declaration',
    ],
    values: ['declaration', 'preproc_def'],
    scopes: ['namespace_definition'],
    wrappers: [
      'declaration_list',
      'field_declaration_list',
      'template_declaration',
      'linkage_specification',
      'preproc_ifdef',
      'preproc_if',
      'preproc_else',
      'preproc_elif',
    ],
  },
  {
    name: 'ruby',
    grammar: 'ruby',
    extensions: ['.rb', '.rake', '.gemspec', '.ru'],
    functions: ['method', 'singleton_method'],
    types: ['class', 'module'],
    values: ['assignment'],
    wrappers: ['body_statement', 'singleton_class'],
  },
  {
    name: 'php',
    grammar: 'php',
    extensions: ['.php'],
    functions: ['function_definition', 'method_declaration'],
    types: ['class_declaration', 'interface_declaration', 'trait_declaration', 'enum_declaration'],
    wrappers: [
      'namespace_definition',
      'declaration_list',
      'compound_statement',
      'enum_declaration_list',
    ],
  },
  {
    name: 'bash',
    grammar: 'bash',
    extensions: ['.sh', '.bash', '.zsh'],
    functions: ['function_definition'],
  },
  {
    name: 'powershell',
    grammar: 'powershell',
    extensions: ['.ps1', '.psm1'],
    functions: ['function_statement'],
    types: ['class_statement'],
    wrappers: ['statement_list'],
  },
  { name: 'css', grammar: 'css', extensions: ['.css'], wrappers: ['media_statement'] },
  { name: 'ini', grammar: 'ini', extensions: ['.ini', '.cfg', '.properties', '.editorconfig'] },
  { name: 'markdown', extensions: ['.md', '.mdx', '.markdown'] },
  ...lines(
    'kotlin:.kt,.kts swift:.swift scala:.scala,.sc elixir:.ex,.exs erlang:.erl,.hrl haskell:.hs,.lhs lua:.lua zig:.zig dart:.dart julia:.jl r:.r,.R perl:.pl,.pm ocaml:.ml,.mli clojure:.clj,.cljs,.cljc f-sharp:.fs,.fsx nim:.nim objective-c:.m,.mm groovy:.groovy,.gradle vue:.vue svelte:.svelte astro:.astro html:.html,.htm scss:.scss,.sass less:.less sql:.sql graphql:.graphql,.gql protobuf:.proto terraform:.tf,.hcl nix:.nix cmake:.cmake make:.mk yaml:.yaml,.yml toml:.toml json:.json,.jsonc xml:.xml text:.txt restructuredtext:.rst asciidoc:.adoc tcl:.tcl vim:.vim elm:.elm solidity:.sol assembly:.s,.S,.asm template:.erb,.haml,.slim,.ejs,.hbs,.j2,.jinja,.tmpl,.twig,.liquid fortran:.f90,.f95 pascal:.pas ada:.adb,.ads d:.d v:.v crystal:.cr fish:.fish batch:.bat,.cmd awk:.awk lisp:.lisp,.el,.scm,.rkt',
  ),
]

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) =>
    language.extensions.map((extension) => [extension, language] as const),
  ),
)
const BY_NAME = new Map<string, Language>(
  [
    'Makefile',
    'Dockerfile',
    'Rakefile',
    'Gemfile',
    'Justfile',
    'CMakeLists.txt',
    'Jenkinsfile',
    'Procfile',
    'BUILD',
    'WORKSPACE',
  ].map((name) => [name, { name: name.toLowerCase(), extensions: [] }]),
)

/** By name alone; a file of unknown kind is not indexed. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return (
    BY_NAME.get(name) ??
    (dot >= 0
      ? (BY_EXTENSION.get(name.slice(dot)) ?? BY_EXTENSION.get(name.slice(dot).toLowerCase()))
      : undefined)
  )
}

function lines(list: string): Language[] {
  return list.split(' ').map((entry) => {
    const [name = '', extensions = ''] = entry.split(':')
    return { name, extensions: extensions.split(',') }
  })
}
