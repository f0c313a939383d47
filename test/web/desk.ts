import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Two editors of one agent: each publishes an offering, then both change the same offering. */
export const editTogether = async (one: Page, other: Page) => {
  await other.goto(one.url())
  for (const desk of [one, other]) await desk.getByRole('button', { name: 'New offering' }).click()
  for (const [desk, name] of [
    [one, 'Write a limerick'],
    [other, 'Write an ode'],
  ] as const) {
    await desk.bringToFront() // a tab behind another one draws once a second
    await desk.getByLabel('Name', { exact: true }).fill(name)
    await desk.getByText('As a JSON schema').first().click()
    await desk.getByLabel('What you need · As a JSON schema').fill('{"properties":{"text":{"not":{}}}}')
    await desk.getByText('“not” is not supported (text).').waitFor()
    await desk.getByLabel('What you need · As a JSON schema').fill('{"required":["text"]}')
    await desk.getByRole('button', { name: 'Publish' }).click()
    await desk.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Edit' }).waitFor()
  }
  expect(await other.getByRole('button', { name: 'Edit' }).count()).toBe(3)
  for (const desk of [other, one]) {
    await desk.bringToFront()
    await desk.getByRole('listitem').filter({ hasText: 'limerick' }).getByText('Edit').click()
  }
  for (const [desk, price] of [
    [one, '0.70'],
    [other, '0.80'],
  ] as const) {
    await desk.bringToFront()
    await desk.getByLabel('Price in USDC').fill(price)
    await desk.getByRole('button', { name: 'Save' }).click()
    await desk
      .getByText(desk === one ? '0.70 USDC' : 'elsewhere while you edited it')
      .first()
      .waitFor()
  }
  await other.close()
  await one.bringToFront()
}

/**
 * A change by someone else arrives between the read and the write of a save. It is kept, the typed text is kept, and a second
 * save succeeds.
 */
export const changeUnderneath = async (desk: Page) => {
  await desk.route(
    url => url.pathname.startsWith('/agents/'),
    async route => {
      const { authorization = '' } = route.request().headers()
      const headers = { authorization, 'content-type': 'application/json' }
      if (route.request().method() === 'PUT')
        await fetch(route.request().url(), { method: 'PUT', headers, body: '{"description":"Said elsewhere"}' })
      await route.continue()
    },
  )
  await desk.getByRole('listitem').filter({ hasText: 'ode' }).getByText('Edit').click()
  await desk.getByLabel('Name', { exact: true }).fill('Write a long ode')
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByText('changed elsewhere at the same time').waitFor()
  await desk.unrouteAll()
  expect(await desk.getByLabel('Name', { exact: true }).inputValue()).toBe('Write a long ode')
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('listitem').filter({ hasText: 'Write a long ode' }).getByText('Edit').waitFor()
  const answer = await desk.request.get(desk.url().replace('/app/me/', '/'))
  expect(await answer.json()).toMatchObject({ description: 'Said elsewhere' })
}
