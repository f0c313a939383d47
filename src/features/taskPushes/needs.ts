/** The features whose files these ones may import. */
export const needs: readonly string[] = []
