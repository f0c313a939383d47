// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC3009} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {AgentToken} from "./AgentToken.sol";
import {TokenLaunchpadTypes} from "./TokenLaunchpadTypes.sol";

/// @dev The functions that are read from the identity registry (ERC-8004).
interface IAgentRegistry {
    function ownerOf(uint256 agentId) external view returns (address);
    function getAgentWallet(uint256 agentId) external view returns (address);
}

interface IWrappedCoin {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @title Launchpad of agent tokens
/// @notice The owner of an agent launches one token, whose whole supply is sold and bought back by a curve.
/// @dev The curve is x·y = k: x is the reserve plus a virtual reserve, y the tokens that the curve holds. All roundings favour
/// the curve, so k never falls, and the reserve always covers the refund of all tokens in circulation. The contract has no
/// owner and cannot be paused or upgraded. A sale depends on the asset alone: fees are only counted, and paid by other calls.
contract TokenLaunchpad is TokenLaunchpadTypes, ReentrancyGuardTransient {
    using Math for uint256;
    using SafeCast for uint256;
    using SafeTransferLib for address;

    /// @dev Two storage slots a token. `fees` are those that are not divided yet.
    struct Curve {
        uint128 reserve;
        uint128 held;
        uint64 agentId;
        bool isCoin;
        uint128 fees;
    }

    uint256 public constant MAX_FEE_BPS = 300;
    uint256 public constant MAX_NAME_LENGTH = 32;
    uint256 public constant MAX_SYMBOL_LENGTH = 10;
    uint256 private constant ALL_BPS = 10_000;
    uint256 private constant ONE_TOKEN = 1 ether;

    IAgentRegistry public immutable registry;
    address public immutable usdc;
    uint256 public immutable virtualUsdc;
    /// @notice Zero where tokens are launched for USDC only.
    address public immutable wrappedCoin;
    uint256 public immutable virtualCoin;
    uint256 public immutable feeBps;
    uint256 public immutable creatorShareBps;
    address public immutable treasury;
    address public immutable tokenImplementation;

    mapping(address token => Curve) private _curves;
    /// @notice The token of an agent, or zero.
    mapping(uint256 agentId => address) public tokenOf;
    /// @notice The platform's part of fees that were divided and that are not paid yet, by asset.
    mapping(address asset => uint256) public platformFees;
    /// @notice The creator's part of fees that were divided and that are not paid yet, by token.
    mapping(address token => uint256) public creatorFees;

    constructor(IAgentRegistry registry_, Reserves memory reserves, Fees memory fees) {
        require(fees.feeBps <= MAX_FEE_BPS && fees.creatorShareBps <= ALL_BPS, BadFees());
        require(fees.treasury != address(0) && fees.treasury != address(this), BadFees());
        require(reserves.usdc.code.length > 0 && reserves.virtualUsdc > 0, BadReserve(reserves.usdc));
        bool hasCoin = reserves.wrappedCoin.code.length > 0 && reserves.virtualCoin > 0;
        require(hasCoin || reserves.wrappedCoin == address(0), BadReserve(reserves.wrappedCoin));
        require(reserves.usdc != reserves.wrappedCoin, BadReserve(reserves.usdc));
        registry = registry_;
        (usdc, virtualUsdc) = (reserves.usdc, reserves.virtualUsdc);
        (wrappedCoin, virtualCoin) = (reserves.wrappedCoin, reserves.virtualCoin);
        (feeBps, creatorShareBps, treasury) = (fees.feeBps, fees.creatorShareBps, fees.treasury);
        tokenImplementation = address(new AgentToken());
    }

    /// @dev Coin arrives only when the wrapped coin is unwrapped.
    receive() external payable {
        require(msg.sender == wrappedCoin, CoinRefused(msg.sender));
    }

    modifier inTime(uint256 deadline) {
        require(block.timestamp <= deadline, PastDeadline(deadline));
        _;
    }

    // ------------------------------------------------------------------ launch

    /// @notice Launches the token of an agent. Callable once per agent, by its owner or its wallet in the registry.
    /// @param name 1 to 32 printable ASCII characters, without a space at either end
    /// @param symbol 2 to 10 characters of A-Z and 0-9
    function launch(
        uint256 agentId,
        address asset,
        string calldata name,
        string calldata symbol
    ) external nonReentrant returns (address token) {
        address creator = registry.ownerOf(agentId);
        require(
            msg.sender == creator || msg.sender == registry.getAgentWallet(agentId),
            NotTheAgentsOwner(msg.sender, agentId)
        );
        require(tokenOf[agentId] == address(0), AlreadyLaunched(agentId, tokenOf[agentId]));
        require(asset == usdc || (asset == wrappedCoin && asset != address(0)), BadReserve(asset));
        _checkTexts(bytes(name), bytes(symbol));
        uint64 number = agentId.toUint64();
        bytes memory args = abi.encodePacked(number, uint8(bytes(name).length), name, symbol);
        token = Clones.cloneDeterministicWithImmutableArgs(tokenImplementation, args, bytes32(agentId));
        tokenOf[agentId] = token;
        uint256 supply = AgentToken(tokenImplementation).SUPPLY();
        _curves[token] = Curve(0, uint128(supply), number, asset == wrappedCoin, 0);
        emit TokenCreated(token, name, symbol, asset, bytes32(agentId));
        emit AgentTokenLaunched(token, agentId, creator);
        AgentToken(token).mintSupply();
    }

    // ------------------------------------------------------------------ buying

    /// @notice Buys with the asset of the curve, by allowance.
    /// @param minTokens the call reverts when the caller would get fewer
    function buy(
        address token,
        uint256 amountIn,
        uint256 minTokens,
        uint256 deadline
    ) external nonReentrant inTime(deadline) returns (uint256 tokens) {
        Curve memory curve = _curve(token);
        address asset = _assetOf(curve);
        tokens = _takeIn(token, curve, amountIn, minTokens);
        uint256 before = asset.balanceOf(address(this));
        asset.safeTransferFrom(msg.sender, address(this), amountIn);
        _checkReceived(asset, before, amountIn);
        _payTokens(token, msg.sender, tokens, asset, amountIn);
    }

    /// @notice Buys with USDC by a signed EIP-3009 ReceiveWithAuthorization of the buyer (to this contract, value
    /// `terms.amountIn`, validAfter 0, validBefore `terms.deadline`, nonce `buyNonce(terms)`). Callable by anyone: the nonce
    /// binds the signature to the terms, and the token accepts each nonce once.
    function buyWithAuthorization(
        BuyTerms calldata terms,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant inTime(terms.deadline) returns (uint256 tokens) {
        Curve memory curve = _curve(terms.token);
        require(!curve.isCoin, BadReserve(wrappedCoin));
        tokens = _takeIn(terms.token, curve, terms.amountIn, terms.minTokens);
        _takeAuthorized(terms, v, r, s);
        _payTokens(terms.token, terms.buyer, tokens, usdc, terms.amountIn);
    }

    /// @notice Buys with the coin of the chain on a curve of the wrapped coin.
    function buyWithCoin(
        address token,
        uint256 minTokens,
        uint256 deadline
    ) external payable nonReentrant inTime(deadline) returns (uint256 tokens) {
        Curve memory curve = _curve(token);
        require(curve.isCoin, NotACoinCurve(token));
        tokens = _takeIn(token, curve, msg.value, minTokens);
        IWrappedCoin(wrappedCoin).deposit{value: msg.value}();
        _payTokens(token, msg.sender, tokens, wrappedCoin, msg.value);
    }

    // ------------------------------------------------------------------ selling

    /// @notice Sells tokens of the caller for the asset of the curve. No allowance is needed.
    /// @param minOut the call reverts when the caller would get less
    function sell(
        address token,
        uint256 tokens,
        uint256 minOut,
        uint256 deadline
    ) external nonReentrant inTime(deadline) returns (uint256 out) {
        Curve memory curve = _curve(token);
        address asset = _assetOf(curve);
        out = _takeBack(token, curve, tokens, minOut);
        emit Burn(token, msg.sender, msg.sender, tokens, asset, out);
        asset.safeTransfer(msg.sender, out);
    }

    /// @notice Sells tokens of the caller on a curve of the wrapped coin, and pays in the coin of the chain.
    function sellForCoin(
        address token,
        uint256 tokens,
        uint256 minOut,
        uint256 deadline
    ) external nonReentrant inTime(deadline) returns (uint256 out) {
        Curve memory curve = _curve(token);
        require(curve.isCoin, NotACoinCurve(token));
        out = _takeBack(token, curve, tokens, minOut);
        emit Burn(token, msg.sender, msg.sender, tokens, wrappedCoin, out);
        IWrappedCoin(wrappedCoin).withdraw(out);
        msg.sender.safeTransferETH(out);
    }

    // ------------------------------------------------------------------ fees

    /// @notice Divides the fees of a token and pays the creator's part. Callable by anyone. It goes to the agent's wallet in the registry,
    /// or to the agent's owner where it has no wallet, so a sold agent takes its fees along.
    function payCreatorFees(address token) external nonReentrant returns (uint256 amount) {
        Curve memory curve = _curve(token);
        amount = _divide(token, curve);
        uint256 waiting = creatorFees[token];
        if (waiting > 0) {
            creatorFees[token] = 0;
            amount += waiting;
        }
        address receiver = registry.getAgentWallet(curve.agentId);
        if (receiver == address(0)) receiver = registry.ownerOf(curve.agentId);
        emit CreatorFeesPaid(token, receiver, amount);
        _assetOf(curve).safeTransfer(receiver, amount);
    }

    /// @notice Divides the fees of a token without paying the creator, so that a creator whom the asset refuses to pay holds back
    /// no part of the platform. Callable by anyone.
    function divideFees(address token) external nonReentrant returns (uint256 amount) {
        amount = _divide(token, _curve(token));
        creatorFees[token] += amount;
    }

    /// @notice Pays the platform's part of the fees in an asset to the treasury. Callable by anyone.
    function payPlatformFees(address asset) external nonReentrant returns (uint256 amount) {
        amount = platformFees[asset];
        platformFees[asset] = 0;
        emit PlatformFeesPaid(asset, amount);
        asset.safeTransfer(treasury, amount);
    }

    // ------------------------------------------------------------------ views

    function curveOf(address token) external view returns (CurveView memory) {
        Curve memory curve = _curve(token);
        uint256 virtualReserve = _virtualOf(curve);
        return
            CurveView({
                agentId: curve.agentId,
                asset: _assetOf(curve),
                virtualReserve: virtualReserve,
                reserve: curve.reserve,
                held: curve.held,
                fees: curve.fees,
                price: (virtualReserve + curve.reserve).mulDiv(ONE_TOKEN, curve.held)
            });
    }

    /// @notice Tokens that `amountIn` buys now, and the fee that is part of it.
    function quoteBuy(address token, uint256 amountIn) external view returns (uint256 tokens, uint256 fee) {
        return _quoteBuy(_curve(token), amountIn);
    }

    /// @notice Amount that `tokens` sell for now, after the fee, and the fee.
    function quoteSell(address token, uint256 tokens) external view returns (uint256 out, uint256 fee) {
        return _quoteSell(_curve(token), tokens);
    }

    /// @notice The EIP-3009 nonce that binds a buyer's signature to these terms, this chain and this contract.
    function buyNonce(BuyTerms calldata terms) public view returns (bytes32) {
        return keccak256(abi.encode(terms, block.chainid, address(this)));
    }

    // ------------------------------------------------------------------ internal

    /// @dev Counts the platform's part of the fees, and returns the creator's.
    function _divide(address token, Curve memory curve) private returns (uint256 amount) {
        uint256 fees = curve.fees;
        amount = (fees * creatorShareBps) / ALL_BPS;
        _curves[token].fees = 0;
        platformFees[_assetOf(curve)] += fees - amount;
    }

    function _takeIn(
        address token,
        Curve memory curve,
        uint256 amountIn,
        uint256 minTokens
    ) private returns (uint256 tokens) {
        uint256 fee;
        (tokens, fee) = _quoteBuy(curve, amountIn);
        require(tokens > 0, NothingBought());
        require(tokens >= minTokens, TooLittleOut(tokens, minTokens));
        _store(token, curve, curve.reserve + amountIn - fee, curve.held - tokens, fee);
    }

    function _takeBack(
        address token,
        Curve memory curve,
        uint256 tokens,
        uint256 minOut
    ) private returns (uint256 out) {
        uint256 fee;
        (out, fee) = _quoteSell(curve, tokens);
        require(out >= minOut, TooLittleOut(out, minOut));
        _store(token, curve, curve.reserve - out - fee, curve.held + tokens, fee);
        AgentToken(token).transferFrom(msg.sender, address(this), tokens);
    }

    function _store(address token, Curve memory curve, uint256 reserve, uint256 held, uint256 fee) private {
        Curve storage stored = _curves[token];
        // The curve never holds more than the supply.
        (stored.reserve, stored.held) = (reserve.toUint128(), uint128(held));
        stored.fees = (curve.fees + fee).toUint128();
    }

    function _takeAuthorized(BuyTerms calldata terms, uint8 v, bytes32 r, bytes32 s) private {
        uint256 before = usdc.balanceOf(address(this));
        IERC3009(usdc).receiveWithAuthorization(
            terms.buyer,
            address(this),
            terms.amountIn,
            0,
            terms.deadline,
            buyNonce(terms),
            v,
            r,
            s
        );
        _checkReceived(usdc, before, terms.amountIn);
    }

    function _payTokens(address token, address buyer, uint256 tokens, address asset, uint256 amountIn) private {
        emit Mint(token, buyer, buyer, tokens, asset, amountIn);
        AgentToken(token).transfer(buyer, tokens);
    }

    /// @dev Refuses assets that take a fee on transfer.
    function _checkReceived(address asset, uint256 before, uint256 amount) private view {
        uint256 received = asset.balanceOf(address(this)) - before;
        require(received == amount, WrongAmountReceived(received, amount));
    }

    /// @dev The fee is rounded up, so splitting a trade never lowers it.
    function _feeOf(uint256 amount) private view returns (uint256) {
        return (amount * feeBps).ceilDiv(ALL_BPS);
    }

    function _quoteBuy(Curve memory curve, uint256 amountIn) private view returns (uint256 tokens, uint256 fee) {
        fee = _feeOf(amountIn);
        uint256 paid = amountIn - fee;
        tokens = (curve.held * paid) / (_virtualOf(curve) + curve.reserve + paid);
    }

    function _quoteSell(Curve memory curve, uint256 tokens) private view returns (uint256 out, uint256 fee) {
        uint256 gross = ((_virtualOf(curve) + curve.reserve) * tokens) / (curve.held + tokens);
        fee = _feeOf(gross);
        out = gross - fee;
    }

    function _curve(address token) private view returns (Curve memory curve) {
        curve = _curves[token];
        require(curve.held > 0, UnknownToken(token));
    }

    function _assetOf(Curve memory curve) private view returns (address) {
        return curve.isCoin ? wrappedCoin : usdc;
    }

    function _virtualOf(Curve memory curve) private view returns (uint256) {
        return curve.isCoin ? virtualCoin : virtualUsdc;
    }

    /// @dev Only plain ASCII: no control characters, no direction marks, no look-alike letters of other scripts.
    function _checkTexts(bytes calldata name, bytes calldata symbol) private pure {
        require(name.length > 0 && name.length <= MAX_NAME_LENGTH, BadName());
        require(name[0] != " " && name[name.length - 1] != " ", BadName());
        for (uint256 i; i < name.length; i++) require(name[i] >= 0x20 && name[i] < 0x7f, BadName());
        require(symbol.length > 1 && symbol.length <= MAX_SYMBOL_LENGTH, BadSymbol());
        for (uint256 i; i < symbol.length; i++) {
            bytes1 letter = symbol[i];
            require((letter >= "A" && letter <= "Z") || (letter >= "0" && letter <= "9"), BadSymbol());
        }
    }
}
