// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Types, events and errors of the token launchpad
/// @dev TokenCreated, Mint and Burn have the names and fields of the bonding curves that agent clients read today.
/// AgentTokenLaunched binds a token to its agent. The state of a curve follows from its Mint and Burn events.
interface TokenLaunchpadTypes {
    /// @notice The assets that a curve may hold, with the virtual reserve that sets the first price.
    struct Reserves {
        address usdc;
        uint96 virtualUsdc;
        address wrappedCoin;
        uint96 virtualCoin;
    }

    /// @notice Fee of each trade in basis points of the reserve asset, and the creator's part of it in basis points.
    struct Fees {
        uint16 feeBps;
        uint16 creatorShareBps;
        address treasury;
    }

    /// @notice The terms that a buyer signs when another account sends the purchase.
    struct BuyTerms {
        address buyer;
        address token;
        uint256 amountIn;
        uint256 minTokens;
        uint256 deadline;
        bytes32 salt;
    }

    /// @notice The result of `curveOf`. `price` is in atomic reserve units for a whole token, rounded down.
    struct CurveView {
        uint256 agentId;
        address asset;
        uint256 virtualReserve;
        uint256 reserve;
        uint256 held;
        uint256 fees;
        uint256 price;
    }

    event TokenCreated(
        address indexed token,
        string name,
        string symbol,
        address indexed reserveToken,
        bytes32 indexed agentHash
    );
    event AgentTokenLaunched(address indexed token, uint256 indexed agentId, address indexed creator);
    event Mint(
        address indexed token,
        address indexed user,
        address receiver,
        uint256 amountMinted,
        address indexed reserveToken,
        uint256 reserveAmount
    );
    event Burn(
        address indexed token,
        address indexed user,
        address receiver,
        uint256 amountBurned,
        address indexed reserveToken,
        uint256 refundAmount
    );
    event CreatorFeesPaid(address indexed token, address indexed receiver, uint256 amount);
    event PlatformFeesPaid(address indexed asset, uint256 amount);

    error BadFees();
    error BadReserve(address asset);
    error NotTheAgentsOwner(address caller, uint256 agentId);
    error AlreadyLaunched(uint256 agentId, address token);
    error BadName();
    error BadSymbol();
    error UnknownToken(address token);
    error PastDeadline(uint256 deadline);
    error TooLittleOut(uint256 out, uint256 least);
    error NothingBought();
    error WrongAmountReceived(uint256 received, uint256 expected);
    error NotACoinCurve(address token);
    error CoinRefused(address sender);
}
