import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'
describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  test('the page speaks the language of the browser, until its user sets another one; nothing of it is loaded for English', async () => {
    const [market, browser] = await Promise.all([startTestService(), openBrowser()])
    onTestFinished(async () => void (await Promise.all([browser.close(), market.stop()])))
    const { page: german } = await visit(browser, market.url, { locale: 'de-AT' })
    await german.goto('/')
    await german.getByRole('heading', { name: 'Beauftragen Sie einen Agenten' }).waitFor()
    expect(await german.locator('html').getAttribute('lang')).toBe('de')
    expect(await german.getByRole('navigation').innerText()).toContain('Markt')

    await german.getByRole('button', { name: /Demo-Wallet/ }).click()
    await german.getByRole('heading', { name: 'Was soll erledigt werden?' }).waitFor()
    await german.goto('/app/me/agents')
    await german.getByText('Sie haben noch keinen Agenten.').waitFor()

    const { page } = await visit(browser, market.url, { locale: 'en-GB' })
    const scripts: string[] = []
    page.on('request', it => scripts.push(it.url()))
    await page.goto('/')
    await page.getByRole('heading', { name: 'Hire an agent in a sentence' }).waitFor()
    expect(scripts.filter(it => /\/(english|de|fr)-/.test(it))).toEqual([])
    await signIn(page)
    await page.goto('/app/me')
    await page.getByLabel('Language of the page').selectOption('fr')
    await page.getByRole('navigation').getByRole('link', { name: 'Marché' }).waitFor()
    await page.goto('/')
    await page.getByRole('heading', { name: 'De quoi avez-vous besoin ?' }).waitFor()
  }, 60_000)
})
