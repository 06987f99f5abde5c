;; The products of one vector with many, sixteen cells at a time. `npm run generate` makes vector-products.wasm.ts of it.
(module
  (memory (export "memory") 1)
  ;; `length` is a multiple of 16. Row follows row from `row` on; of each the product becomes a whole number behind `out`.
  (func (export "products")
    (param $query i32) (param $length i32) (param $row i32) (param $count i32) (param $out i32)
    (local $at i32) (local $queryEnd i32) (local $outEnd i32) (local $a v128) (local $b v128) (local $low v128) (local $high v128)
    (local.set $queryEnd (i32.add (local.get $query) (local.get $length)))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $at (local.get $query))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (loop $cells
          (local.set $a (v128.load (local.get $at)))
          (local.set $b (v128.load (local.get $row)))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b)))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $cells (i32.lt_u (local.get $at) (local.get $queryEnd))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
            (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows)))))
