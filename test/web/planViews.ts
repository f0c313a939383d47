import type { Page } from 'playwright-core'

const approve = async (page: Page, until: string): Promise<void> => {
  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.getByText(until).first().waitFor()
}

type Begin = (page: Page, words: string, ready: string | RegExp) => Promise<string>

/** Proposes plans and agrees to some of them; returns the views of their states. The market has an agent that never delivers. */
export const viewPlans = async (page: Page, begin: Begin): Promise<{ name: string; path: string; ready: string | RegExp }[]> => {
  const many = 'Tell me the local time in Tokyo and in Lima, and make a QR code of https://example.org/menu'
  const open = await begin(page, many, /Approve 3 steps/)
  const asked = await begin(page, 'Tell me the local time in Oslo, and make a QR code', 'Answer')
  const done = await begin(page, 'Convert 5 miles to kilometers. Then make a QR code of the result.', /Approve 2 steps/)
  await approve(page, 'Your plan is over')
  const failed = await begin(page, 'What is the local time in Atlantis and in Paris?', /Approve 2 steps/)
  await approve(page, 'Your plan is over')
  const left = await begin(page, 'Tell me the time in Quito and walk my dog in the park', 'Approve')
  const running = await begin(page, 'Carve a wooden spoon, and tell me the local time in Rome', /Approve 2 steps/)
  await approve(page, 'done and paid')
  return [
    { name: 'plan', path: open, ready: /Approve 3 steps/ },
    { name: 'plan-asked', path: asked, ready: 'Never mind' },
    { name: 'plan-running', path: running, ready: 'done and paid' },
    { name: 'plan-done', path: done, ready: 'Your plan is over' },
    { name: 'plan-failed', path: failed, ready: 'Your plan is over' },
    { name: 'plan-part', path: left, ready: 'Approve' },
  ]
}
