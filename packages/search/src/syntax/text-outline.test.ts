import { describe, expect, it } from 'vitest'
import { type Definition, textOutline } from './text-outline.ts'

const names = (definitions: readonly Definition[]): string[] =>
  definitions.flatMap(({ name, children }) => [
    name,
    ...names(children).map((inner) => `${name} > ${inner}`),
  ])

const SAMPLES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  kotlin: [
    `package shop.orders
class Basket private constructor(private val lines: List<Line>) {
  companion object {
    const val MAX = 30
    @JvmStatic fun of(block: Basket.() -> Unit): Basket = Basket(listOf())
  }
  internal suspend inline fun <reified T> price(of: T): Money {
    return total
  }
}
fun <T : Any> List<T>.second(): T = this[1]
enum class Method { CARD }
fun interface Payer { fun pay(): Receipt }`,
    ['Basket', 'Basket > MAX', 'Basket > of', 'Basket > price', 'second', 'Method', 'Payer'],
  ],
  swift: [
    `public protocol Payer: AnyObject {
    func pay(_ order: Order) throws -> Receipt
}
extension Basket {
    @discardableResult
    open func add(_ line: Line) -> Basket {
        self
    }
    private(set) var lines: [Line] = []
}`,
    ['Payer', 'Payer > pay', 'Basket', 'Basket > add', 'Basket > lines'],
  ],
  scala: [
    `package shop
sealed trait Payment[F[_]] {
  def pay(order: Order): F[Receipt]
  private[shop] val limit: Int = 1
}
final case class Card(number: String) extends Payment[Id]
extension (s: String) def shout: String = s.toUpperCase`,
    ['Payment', 'Payment > pay', 'Payment > limit', 'Card', 'shout'],
  ],
  elixir: [
    `defmodule Shop.Router do
  defmacro get(path, plug) do
    path
  end
  def match(conn), do: conn
  defp add(kind) when is_atom(kind) do
    :ok
  end
end`,
    ['Shop.Router', 'Shop.Router > get', 'Shop.Router > match', 'Shop.Router > add'],
  ],
  erlang: [
    `-module(basket).
-record(line, {id, amount}).
price(Line) when is_record(Line, line) ->
    1;
price(_) ->
    0.`,
    ['basket', 'line', 'price'],
  ],
  haskell: [
    `module Shop.Basket (price) where
data Basket = Basket [Line]
class Priced a where
  amount :: a -> Int
price :: Basket -> Int
price = sum`,
    ['Shop.Basket', 'Basket', 'Priced', 'price'],
  ],
  lua: [
    'local function parse(x)\n  return x\nend\nfunction M.load(path)\n  return path\nend\nM.save = function(path)\nend',
    ['parse', 'M.load', 'M.save'],
  ],
  zig: [
    `pub const Basket = struct {
    lines: []Line,
    pub fn init() Basket {
        return .{};
    }
};
const Failure = error{ Full };`,
    ['Basket', 'Basket > init', 'Failure'],
  ],
  dart: [
    `abstract class Basket<T> extends Base {
  factory Basket.of(T first) => Basket(first);
  Future<void> close() async {
    if (isOpen) {
      await super.close();
    }
  }
  bool get isEmpty => lines.isEmpty;
}`,
    ['Basket', 'Basket > Basket.of', 'Basket > close', 'Basket > isEmpty'],
  ],
  ocaml: [
    "module Basket = struct\n  type 'a t = { lines : 'a list }\n  let rec price b = b\nend\nlet compare_lines a b = compare a b\nexception Full of int",
    ['Basket', 'Basket > t', 'Basket > price', 'compare_lines', 'Full'],
  ],
  clojure: [
    '(ns shop.basket)\n(defn add-line\n  "Adds."\n  [basket line]\n  basket)\n(def limit 3)\n(defprotocol Priced (price [this]))',
    ['shop.basket', 'add-line', 'limit', 'Priced'],
  ],
  'f-sharp': [
    'module private Shop.Basket\nlet inline price (b : Basket) =\n    fun tax -> tax\ntype Builder() =\n    member this.Bind(x, f) = f x',
    ['Shop.Basket', 'price', 'Builder', 'Builder > Bind'],
  ],
  'objective-c': [
    '@implementation Basket\n+ (instancetype)basket {\n    return nil;\n}\n- (void)addLine:(Line *)line to:(void (^)(void))done {\n}\n@end',
    ['Basket', 'basket', 'addLine'],
  ],
  julia: [
    'mutable struct Basket end\nfunction price(b::Basket)\n    1\nend\nisempty(b::Basket) = true',
    ['Basket', 'price', 'isempty'],
  ],
  r: ['fit_model <- function(data) {\n  data\n}\nsetClass("Model")', ['fit_model', 'Model']],
  nim: [
    'type\n  Basket* = ref object\n    lines: int\nproc price*(b: Basket): int =\n  1',
    ['Basket', 'price'],
  ],
  perl: ['package Shop::Basket;\nsub price {\n  my ($self) = @_;\n}', ['Shop::Basket', 'price']],
  protobuf: [
    'service Shop {\n  rpc Pay (Order) returns (Receipt) {}\n}\nmessage Order { string id = 1; }',
    ['Shop', 'Shop > Pay', 'Order'],
  ],
  sql: [
    'create table if not exists orders (id int);\nCREATE OR REPLACE FUNCTION add_order(x text) RETURNS void;',
    ['orders', 'add_order'],
  ],
  terraform: [
    'resource "aws_s3_bucket" "logs" {\n  bucket = "x"\n}\nvariable "region" {}',
    ['logs', 'region'],
  ],
}

describe('an outline read off the lines', () => {
  it.each(Object.entries(SAMPLES))(
    'of %s has its definitions, nested',
    (language, [text, expected]) => {
      expect(names(textOutline(text.split('\n'), language))).toEqual(expected)
    },
  )

  it('takes no statement for a definition', () => {
    const text =
      'else if (a) {\n}\nreturn compute(b)\nstruct queue q;\n  struct queue inner;\nfor (;;) {\n}'
    expect(names(textOutline(text.split('\n')))).not.toContain('if')
    expect(names(textOutline(text.split('\n')))).not.toContain('compute')
    expect(names(textOutline(text.split('\n')))).not.toContain('inner')
  })

  it('comes to an end on hostile lines', () => {
    const hostile = [
      'fun '.repeat(100),
      `fun <${'<'.repeat(190)}`,
      `${'a '.repeat(190)}(`,
      `def ${'x.'.repeat(190)}(`,
      `${'('.repeat(390)}`,
    ]
    for (const language of [...Object.keys(SAMPLES), 'unknown'])
      expect(textOutline(hostile, language).length).toBeLessThan(hostile.length + 1)
  })
})
