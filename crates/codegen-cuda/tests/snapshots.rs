//! What generated text looks like.

mod kernels;

use colocate_codegen_cuda::generate;

#[test]
fn a_region_strides_over_its_items() {
    insta::assert_snapshot!(generate(&kernels::saxpy()).text);
}

#[test]
fn a_tiled_product_shares_tiles_between_barriers() {
    insta::assert_snapshot!(generate(&kernels::tiled_matmul()).text);
}

#[test]
fn a_reduction_is_combined_in_blocks() {
    insta::assert_snapshot!(generate(&kernels::sum_of_squares()).text);
}

#[test]
fn what_was_read_before_a_change_gets_a_name() {
    let text = generate(&kernels::swap()).text;
    let read = text
        .find("= x_p0[global_id_0];")
        .expect("x is read into a name");
    assert!(
        read < text.find("x_p0[global_id_0] = ").expect("x is written"),
        "{text}"
    );
    let text = generate(&kernels::control_flow()).text;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let change = lines.iter().position(|line| *line == "double_x0 = 1ll;");
    let change = change.expect("the variable changes");
    assert!(lines[change - 1].ends_with(" = double_x0;"), "{text}");
}
