export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Formats a time as ISO 8601, as the API says every time. @param at epoch ms */
export const toIso = (at: number): string => new Date(at).toISOString()

/** Formats a time as `2026-11-22 12:00 UTC`. @param at epoch ms */
export const clockTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Formats minutes in words; whole hours from two on are given too. */
export const span = (minutes: number): string =>
  minutes === 1
    ? '1 minute'
    : minutes < 120 || minutes % 60 !== 0
      ? `${minutes} minutes`
      : `${minutes / 60} hours (${minutes} minutes)`
