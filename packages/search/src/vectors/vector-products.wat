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
        (br $rows))))

  ;; The same with rows of signs, one bit for each cell: the sum of the query's cells where the bit is set.
  (func (export "signed")
    (param $query i32) (param $length i32) (param $row i32) (param $count i32) (param $out i32)
    (local $at i32) (local $queryEnd i32) (local $outEnd i32) (local $bits v128) (local $each v128) (local $sum v128)
    (local.set $queryEnd (i32.add (local.get $query) (local.get $length)))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $each (v128.const i8x16 1 2 4 8 16 32 64 -128 1 2 4 8 16 32 64 -128))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $at (local.get $query))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (loop $cells
          (local.set $bits (v128.load16_splat (local.get $row)))
          (local.set $bits (i8x16.shuffle 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 (local.get $bits) (local.get $bits)))
          (local.set $bits (i8x16.eq (v128.and (local.get $bits) (local.get $each)) (local.get $each)))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extadd_pairwise_i8x16_s
              (v128.and (local.get $bits) (v128.load (local.get $at)))))))
          (local.set $row (i32.add (local.get $row) (i32.const 2)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $cells (i32.lt_u (local.get $at) (local.get $queryEnd))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows))))

  ;; How many bits of a row of signs differ from the query's. `length` is in bytes, a multiple of 16.
  (func $distance (param $query i32) (param $length i32) (param $row i32) (result i32)
    (local $end i32) (local $sum v128)
    (local.set $end (i32.add (local.get $query) (local.get $length)))
    (local.set $sum (v128.const i32x4 0 0 0 0))
    (loop $pieces
      (local.set $sum (i32x4.add (local.get $sum)
        (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.xor (v128.load (local.get $row)) (v128.load (local.get $query))))))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $query (i32.add (local.get $query) (i32.const 16)))
      (br_if $pieces (i32.lt_u (local.get $query) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; That of each row, behind `out`.
  (func (export "distances")
    (param $query i32) (param $length i32) (param $row i32) (param $count i32) (param $out i32)
    (local $outEnd i32)
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (i32.store (local.get $out) (call $distance (local.get $query) (local.get $length) (local.get $row)))
        (local.set $row (i32.add (local.get $row) (local.get $length)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows))))

  ;; The numbers of the rows that differ in at most `most` bits, behind `out`; gives how many they are. Eight bytes at
  ;; a time: processors count the bits of these in one step, and of sixteen in about ten.
  (func (export "within")
    (param $query i32) (param $length i32) (param $row i32) (param $count i32) (param $out i32) (param $most i32) (result i32)
    (local $nth i32) (local $start i32) (local $at i32) (local $end i32) (local $sum i64)
    (local.set $start (local.get $out))
    (local.set $end (i32.add (local.get $query) (local.get $length)))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $nth) (local.get $count)))
        (i32.store (local.get $out) (local.get $nth))
        (local.set $at (local.get $query))
        (local.set $sum (i64.const 0))
        (loop $pieces
          (local.set $sum (i64.add (local.get $sum) (i64.add
            (i64.popcnt (i64.xor (i64.load (local.get $row)) (i64.load (local.get $at))))
            (i64.popcnt (i64.xor (i64.load offset=8 (local.get $row)) (i64.load offset=8 (local.get $at)))))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $pieces (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $out (i32.add (local.get $out) (i32.shl
          (i32.le_u (i32.wrap_i64 (local.get $sum)) (local.get $most))
          (i32.const 2))))
        (local.set $nth (i32.add (local.get $nth) (i32.const 1)))
        (br $rows)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2))))
