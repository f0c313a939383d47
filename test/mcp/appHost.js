import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

// A page that shows an app by the host part of the ext-apps project, of which its `basic-host` is made. It checks each message of
// the app by the schemas of MCP Apps.

/** Shows an app and tells it the result of its tool. The test answers its calls, by `callTool`, and hears `openLink`. */
window.showApp = async ({ html, told, theme }) => {
  const frame = document.querySelector('iframe')
  const able = { openLinks: {}, serverTools: {} }
  const bridge = new AppBridge(null, { name: 'reference', version: '1' }, able, { hostContext: { theme } })
  bridge.oncalltool = ({ name, arguments: input }) => window.callTool(name, input)
  bridge.onopenlink = async ({ url }) => {
    await window.openLink(url)
    return {}
  }
  bridge.onsizechange = ({ height }) => {
    frame.style.height = `${height}px`
  }
  bridge.oninitialized = () => bridge.sendToolResult(told)
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = html
}
