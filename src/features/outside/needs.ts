export const needs: readonly string[] = ['x402Buying']
