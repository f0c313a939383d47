export const needs: readonly string[] = ['passkeys']
